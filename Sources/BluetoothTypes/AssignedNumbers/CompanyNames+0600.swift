extension AssignedNames {
  /// Companies 0x0600 to 0x07FF (Assigned Numbers of June 2026, 7.1).
  static let companies0600 = AssignedNameTable(
    """
    0600 iRobot Corporation
    0601 Schrader Electronics
    0602 Geberit International AG
    0603 Fourth Evolution Inc
    0605 FMW electronic Futterer u. Maier-Wolf OHG
    0606 John Deere
    0607 Rookery Technology Ltd
    0608 KeySafe-Cloud
    0609 BUCHI Labortechnik AG
    060A IQAir AG
    060B Triax Technologies Inc
    060C Vuzix Corporation
    060D TDK Corporation
    060E Blueair AB
    060F Signify Netherlands B.V.
    0610 ADH GUARDIAN USA LLC
    0611 Beurer GmbH
    0612 Playfinity AS
    0613 Hans Dinslage GmbH
    0614 OnAsset Intelligence, Inc.
    0615 INTER ACTION Corporation
    0616 OS42 UG (haftungsbeschraenkt)
    0617 WIZCONNECTED COMPANY LIMITED
    0618 Audio-Technica Corporation
    0619 Six Guys Labs, s.r.o.
    061A R.W. Beckett Corporation
    061B silex technology, inc.
    061C Univations Limited
    061D SENS Innovation ApS
    061E Diamond Kinetics, Inc.
    061F Phrame Inc.
    0620 Forciot Oy
    0621 Noordung d.o.o.
    0622 Beam Labs, LLC
    0624 Biovotion AG
    0625 Square Panda, Inc.
    0626 Amplifico
    0627 WEG S.A.
    0628 Ensto Oy
    0629 PHONEPE PVT LTD
    062B MinebeaMitsumi Inc.
    062C ASPion GmbH
    062D Vossloh-Schwabe Deutschland GmbH
    062E Procept
    062F ONKYO Corporation
    0630 Asthrea D.O.O.
    0631 Fortiori Design LLC
    0632 Hugo Muller GmbH & Co KG
    0633 Wangi Lai PLT
    0634 Fanstel Corp
    0635 Crookwood
    0636 ELECTRONICA INTEGRAL DE SONIDO S.A.
    0637 GiP Innovation Tools GmbH
    0638 LX SOLUTIONS PTY LIMITED
    0639 Shenzhen Minew Technologies Co., Ltd.
    063A Prolojik Limited
    063B Kromek Group Plc
    063C Contec Medical Systems Co., Ltd.
    063D Xradio Technology Co.,Ltd.
    063E The Indoor Lab, LLC
    063F LDL TECHNOLOGY
    0640 Dish Network LLC
    0641 Revenue Collection Systems FRANCE SAS
    0642 Bluetrum Technology Co.,Ltd
    0643 makita corporation
    0644 Apogee Instruments
    0645 BM3
    0646 SGV Group Holding GmbH & Co. KG
    0647 MED-EL
    0648 Ultune Technologies
    0649 Ryeex Technology Co.,Ltd.
    064A Open Research Institute, Inc.
    064B Scale-Tec, Ltd
    064C Zumtobel Group AG
    064D iLOQ Oy
    064E KRUXWorks Technologies Private Limited
    064F Digital Matter Pty Ltd
    0650 Coravin, Inc.
    0651 Stasis Labs, Inc.
    0652 ITZ Innovations- und Technologiezentrum GmbH
    0653 Meggitt SA
    0654 Ledlenser GmbH & Co. KG
    0655 Renishaw PLC
    0656 ZhuHai AdvanPro Technology Company Limited
    0657 Meshtronix Limited
    0658 Payex Norge AS
    0659 UnSeen Technologies Oy
    065A Marshall Group AB
    065B Sesam Solutions BV
    065C PixArt Imaging Inc.
    065D Panduit Corp.
    065E Alo AB
    065F Ricoh Company Ltd
    0660 RTC Industries, Inc.
    0661 Mode Lighting Limited
    0662 Particle Industries, Inc.
    0663 Advanced Telemetry Systems, Inc.
    0664 RHA TECHNOLOGIES LTD
    0665 Pure International Limited
    0666 WTO Werkzeug-Einrichtungen GmbH
    0667 Spark Technology Labs Inc.
    0668 Bleb Technology srl
    0669 Livanova USA, Inc.
    066A Brady Worldwide Inc.
    066B DewertOkin GmbH
    066C Ztove ApS
    066D Venso EcoSolutions AB
    066E Eurotronik Kranj d.o.o.
    066F Hug Technology Ltd
    0670 Gema Switzerland GmbH
    0671 Buzz Products Ltd.
    0672 Kopi
    0673 Innova Ideas Limited
    0674 BeSpoon
    0676 Expai Solutions Private Limited
    0677 Innovation First, Inc.
    0678 SABIK Offshore GmbH
    0679 4iiii Innovations Inc.
    067A The Energy Conservatory, Inc.
    067B I.FARM, INC.
    067C Tile, Inc.
    067D Form Athletica Inc.
    067F NETGRID S.N.C. DI BISSOLI MATTEO, CAMPOREALE SIMONE, TOGNETTI FEDERICO
    0680 Mannkind Corporation
    0681 Trade FIDES a.s.
    0682 Photron Limited
    0683 Eltako GmbH
    0684 Dermalapps, LLC
    0685 Greenwald Industries
    0686 inQs Co., Ltd.
    0687 Cherry GmbH
    0688 Amsted Digital Solutions Inc.
    0689 Tacx b.v.
    068A Raytac Corporation
    068B Jiangsu Teranovo Tech Co., Ltd.
    068E Razer Inc.
    068F JRM Group Limited
    0690 Eccrine Systems, Inc.
    0691 Curie Point AB
    0692 Georg Fischer AG
    0693 Hach - Danaher
    0694 T&A Laboratories LLC
    0695 Koki Holdings Co., Ltd.
    0696 Gunakar Private Limited
    0697 Stemco Products Inc
    0698 Wood IT Security, LLC
    0699 RandomLab SAS
    069A Adero, Inc.
    069B Dragonchip Limited
    069C Noomi AB
    069E Delta Electronics, Inc.
    069F FlowMotion Technologies AS
    06A0 OBIQ Location Technology Inc.
    06A1 Cardo Systems, Ltd
    06A2 Globalworx GmbH
    06A3 Nymbus, LLC
    06A4 LIMNO Co. Ltd.
    06A5 TEKZITEL PTY LTD
    06A6 Roambee Corporation
    06A7 Chipsea Technologies (ShenZhen) Corp.
    06A8 GD Midea Air-Conditioning Equipment Co., Ltd.
    06A9 Soundmax Electronics Limited
    06AA Produal Oy
    06AB HMS Industrial Networks AB
    06AC Ingchips Technology Co., Ltd.
    06AD InnovaSea Systems Inc.
    06AE SenseQ Inc.
    06AF Shoof Technologies
    06B0 BRK Brands, Inc.
    06B1 SimpliSafe, Inc.
    06B2 Tussock Innovation 2013 Limited
    06B4 Sencilion Oy
    06B5 Wabilogic Ltd.
    06B6 Sociometric Solutions, Inc.
    06B7 iCOGNIZE GmbH
    06B8 ShadeCraft, Inc
    06B9 Beflex Inc.
    06BA Beaconzone Ltd
    06BB Leaftronix Analogic Solutions Private Limited
    06BC TWS Srl
    06BD ABB Oy
    06BE HitSeed Oy
    06C0 CAME S.p.A.
    06C1 Alarm.com Holdings, Inc
    06C2 Measurlogic Inc.
    06C3 King I Electronics.Co.,Ltd
    06C4 Dream Labs GmbH
    06C5 Urban Compass, Inc
    06C6 Simm Tronic Limited
    06C7 Somatix Inc
    06C8 Storz & Bickel GmbH & Co. KG
    06C9 MYLAPS B.V.
    06CA Shenzhen Zhongguang Infotech Technology Development Co., Ltd
    06CB Dyeware, LLC
    06CC Dongguan SmartAction Technology Co.,Ltd.
    06CD DIG Corporation
    06CE FIOR & GENTZ
    06D0 Etekcity Corporation
    06D1 Meyer Sound Laboratories, Incorporated
    06D2 CeoTronics AG
    06D4 DYNAKODE TECHNOLOGY PRIVATE LIMITED
    06D5 Sensirion AG
    06D6 JCT Healthcare Pty Ltd
    06D7 FUBA Automotive Electronics GmbH
    06D8 AW Company
    06D9 Shanghai Mountain View Silicon Co.,Ltd.
    06DA Zliide Technologies ApS
    06DB Automatic Labs, Inc.
    06DC Industrial Network Controls, LLC
    06DD Intellithings Ltd.
    06DE Navcast, Inc.
    06DF HLI Solutions Inc.
    06E0 Avaya Inc.
    06E1 Milestone AV Technologies LLC
    06E2 Alango Technologies Ltd
    06E3 Spinlock Ltd
    06E4 Aluna
    06E5 OPTEX CO.,LTD.
    06E6 NIHON DENGYO KOUSAKU
    06E7 VELUX A/S
    06E8 Almendo Technologies GmbH
    06E9 Zmartfun Electronics, Inc.
    06EA SafeLine Sweden AB
    06EB Houston Radar LLC
    06EC Sigur
    06ED J Neades Ltd
    06EF ALCARE Co., Ltd.
    06F0 Chargy Technologies, SL
    06F1 Shibutani Co., Ltd.
    06F2 Trapper Data AB
    06F3 Alfred International Inc.
    06F4 Touché Technology Ltd
    06F5 Vigil Technologies Inc.
    06F6 Vitulo Plus BV
    06F7 WILKA Schliesstechnik GmbH
    06F8 BodyPlus Technology Co.,Ltd
    06F9 happybrush GmbH
    06FA Enequi AB
    06FB Sartorius AG
    06FC Tom Communication Industrial Co.,Ltd.
    06FD ESS Embedded System Solutions Inc.
    06FE Mahr GmbH
    06FF Redpine Signals Inc
    0700 TraqFreq LLC
    0701 PAFERS TECH
    0702 Akciju sabiedriba "SAF TEHNIKA"
    0703 Beijing Jingdong Century Trading Co., Ltd.
    0704 JBX Designs Inc.
    0705 AB Electrolux
    0706 Wernher von Braun Center for ASdvanced Research
    0707 Essity Hygiene and Health Aktiebolag
    0708 Be Interactive Co., Ltd
    0709 Carewear Corp.
    070A Huf Hülsbeck & Fürst GmbH & Co. KG
    070B Element Products, Inc.
    070C Beijing Winner Microelectronics Co.,Ltd
    070D SmartSnugg Pty Ltd
    070E FiveCo Sarl
    070F California Things Inc.
    0710 Audiodo AB
    0711 ABAX AS
    0712 Bull Group Company Limited
    0713 Respiri Limited
    0714 MindPeace Safety LLC
    0715 MBARC LABS Inc
    0716 Altonics
    0718 IDIBAIX enginneering
    0719 COREIOT PTY LTD
    071A REVSMART WEARABLE HK CO LTD
    071B Precor
    071C F5 Sports, Inc
    071D exoTIC Systems
    071E DONGGUAN HELE ELECTRONICS CO., LTD
    071F Dongguan Liesheng Electronic Co.Ltd
    0720 Oculeve, Inc.
    0721 Clover Network, Inc.
    0722 Xiamen Eholder Electronics Co.Ltd
    0723 Ford Motor Company
    0724 Guangzhou SuperSound Information Technology Co.,Ltd
    0725 Tedee Sp. z o.o.
    0726 PHC Corporation
    0728 Eli Lilly and Company
    0729 SwaraLink Technologies
    072A JMR embedded systems GmbH
    072B Bitkey Inc.
    072C GWA Hygiene GmbH
    072D Safera Oy
    072E Open Platform Systems LLC
    072F OnePlus Electronics (Shenzhen) Co., Ltd.
    0730 Wildlife Acoustics, Inc.
    0731 ABLIC Inc.
    0732 Dairy Tech, LLC
    0733 Iguanavation, Inc.
    0734 DiUS Computing Pty Ltd
    0735 UpRight Technologies LTD
    0736 Luna XIO, Inc.
    0737 LLC Navitek
    0738 Glass Security Pte Ltd
    0739 Jiangsu Qinheng Co., Ltd.
    073A Chandler Systems Inc.
    073B Fantini Cosmi s.p.a.
    073D Beijing Hao Heng Tian Tech Co., Ltd.
    073E Bluepack S.R.L.
    073F Beijing Unisoc Technologies Co., Ltd.
    0741 MAC SRL
    0742 DML LLC
    0743 Sanofi
    0744 SOCOMEC
    0745 WIZNOVA, Inc.
    0746 Seitec Elektronik GmbH
    0747 OR Technologies Pty Ltd
    0748 GuangZhou KuGou Computer Technology Co.Ltd
    0749 DIAODIAO (Beijing) Technology Co., Ltd.
    074A Illusory Studios LLC
    074B Sarvavid Software Solutions LLP
    074D Amtech Systems, LLC
    074E EAGLE DETECTION SA
    074F MEDIATECH S.R.L.
    0750 Hamilton Professional Services of Canada Incorporated
    0751 Changsha JEMO IC Design Co.,Ltd
    0752 Elatec GmbH
    0753 JLG Industries, Inc.
    0754 Michael Parkin
    0755 Brother Industries, Ltd
    0756 Lumens For Less, Inc
    0757 ELA Innovation
    0758 umanSense AB
    0759 Shanghai InGeek Cyber Security Co., Ltd.
    075A HARMAN CO.,LTD.
    075B Smart Sensor Devices AB
    075C Antitronics Inc.
    075D RHOMBUS SYSTEMS, INC.
    075E Katerra Inc.
    075F Remote Solution Co., LTD.
    0760 Vimar SpA
    0761 Mantis Tech LLC
    0762 TerOpta Ltd
    0763 PIKOLIN S.L.
    0764 WWZN Information Technology Company Limited
    0765 Voxx International
    0766 ART AND PROGRAM, INC.
    0767 NITTO DENKO ASIA TECHNICAL CENTRE PTE. LTD.
    0768 Peloton Interactive Inc.
    0769 Force Impact Technologies
    076A Dmac Mobile Developments, LLC
    076B Engineered Medical Technologies
    076C Noodle Technology inc
    076D Graesslin GmbH
    076E WuQi technologies, Inc.
    076F Successful Endeavours Pty Ltd
    0770 InnoCon Medical ApS
    0771 Corvex Connected Safety
    0772 Thirdwayv Inc.
    0773 Echoflex Solutions Inc.
    0774 C-MAX Asia Limited
    0775 4eBusiness GmbH
    0776 Cyber Transport Control GmbH
    0777 Cue
    0778 KOAMTAC INC.
    0779 Loopshore Oy
    077A Niruha Systems Private Limited
    077C radius co., ltd.
    077D Sensority, s.r.o.
    077E Sparkage Inc.
    077F Glenview Software Corporation
    0780 Finch Technologies Ltd.
    0781 Qingping Technology (Beijing) Co., Ltd.
    0782 DeviceDrive AS
    0783 ESEMBER LIMITED LIABILITY COMPANY
    0784 audifon GmbH & Co. KG
    0785 O2 Micro, Inc.
    0786 HLP Controls Pty Limited
    0788 BubblyNet, LLC
    0789 PCB Piezotronics, Inc.
    078A The Wildflower Foundation
    078B Optikam Tech Inc.
    078C MINIBREW HOLDING B.V
    078D Cybex GmbH
    078E FUJIMIC NIIGATA, INC.
    078F Hanna Instruments, Inc.
    0790 KOMPAN A/S
    0791 Scosche Industries, Inc.
    0792 Cricut, Inc.
    0793 AEV spol. s r.o.
    0794 The Coca-Cola Company
    0795 GASTEC CORPORATION
    0796 StarLeaf Ltd
    0797 Water-i.d. GmbH
    0798 HoloKit, Inc.
    0799 PlantChoir Inc.
    079A GuangDong Oppo Mobile Telecommunications Corp., Ltd.
    079B CST ELECTRONICS (PROPRIETARY) LIMITED
    079C Sky UK Limited
    079D Digibale Pty Ltd
    079E Smartloxx GmbH
    079F Pune Scientific LLP
    07A0 Regent Beleuchtungskorper AG
    07A1 Apollo Neuroscience, Inc.
    07A2 Roku, Inc.
    07A4 Xiamen Mage Information Technology Co., Ltd.
    07A5 RAB Lighting, Inc.
    07A6 Musen Connect, Inc.
    07A7 Zume, Inc.
    07A8 conbee GmbH
    07A9 Bruel & Kjaer Sound & Vibration
    07AA The Kroger Co.
    07AB Granite River Solutions, Inc.
    07AC LoupeDeck Oy
    07AD New H3C Technologies Co.,Ltd
    07AE Aurea Solucoes Tecnologicas Ltda.
    07AF Hong Kong Bouffalo Lab Limited
    07B0 GV Concepts Inc.
    07B1 Thomas Dynamics, LLC
    07B2 Moeco IOT Inc.
    07B3 2N TELEKOMUNIKACE a.s.
    07B4 Hormann KG Antriebstechnik
    07B5 CRONO CHIP, S.L.
    07B6 Soundbrenner Limited
    07B7 ETABLISSEMENTS GEORGES RENAULT
    07B8 iSwip
    07B9 Epona Biotec Limited
    07BA Battery-Biz Inc.
    07BB EPIC S.R.L.
    07BC KD CIRCUITS LLC
    07BD Genedrive Diagnostics Ltd
    07BE Axentia Technologies AB
    07BF REGULA Ltd.
    07C0 Biral AG
    07C2 Radinn AB
    07C3 CIMTechniques, Inc.
    07C4 Johnson Health Tech NA
    07C5 June Life, Inc.
    07C6 Bluenetics GmbH
    07C7 iaconicDesign Inc.
    07C8 WRLDS Creations AB
    07C9 Skullcandy, Inc.
    07CA Modul-System HH AB
    07CB West Pharmaceutical Services, Inc.
    07CC Barnacle Systems Inc.
    07CD Smart Wave Technologies Canada Inc
    07CE Shanghai Top-Chip Microelectronics Tech. Co., LTD
    07CF NeoSensory, Inc.
    07D0 Hangzhou Tuya Information  Technology Co., Ltd
    07D1 Shanghai Panchip Microelectronics Co., Ltd
    07D2 React Accessibility Limited
    07D3 LIVNEX Co.,Ltd.
    07D4 Kano Computing Limited
    07D5 hoots classic GmbH
    07D6 ecobee Inc.
    07D7 Nanjing Qinheng Microelectronics Co., Ltd
    07D8 SOLUTIONS AMBRA INC.
    07D9 Micro-Design, Inc.
    07DA STARLITE Co., Ltd.
    07DB Remedee Labs
    07DC ThingOS GmbH & Co KG
    07DD Linear Circuits
    07DE Unlimited Engineering SL
    07DF Snap-on Incorporated
    07E0 Edifier International Limited
    07E1 Lucie Labs
    07E2 Alfred Kaercher SE & Co. KG
    07E3 Airoha Technology Corp.
    07E4 Geeksme S.L.
    07E5 Minut, Inc.
    07E6 Waybeyond Limited
    07E7 Komfort IQ, Inc.
    07E8 Packetcraft, Inc.
    07E9 Häfele GmbH & Co KG
    07EA ShapeLog, Inc.
    07EB NOVABASE S.R.L.
    07EC Frecce LLC
    07ED Joule IQ, INC.
    07EE KidzTek LLC
    07EF Aktiebolaget Sandvik Coromant
    07F0 e-moola.com Pty Ltd
    07F1 Zimi Innovations Pty Ltd
    07F2 SERENE GROUP, INC
    07F3 DIGISINE ENERGYTECH CO. LTD.
    07F4 MEDIRLAB Orvosbiologiai Fejleszto Korlatolt Felelossegu Tarsasag
    07F5 Byton North America Corporation
    07F6 Shenzhen TonliScience and Technology Development Co.,Ltd
    07F7 Cesar Systems Ltd.
    07F8 quip NYC Inc.
    07F9 Direct Communication Solutions, Inc.
    07FA Klipsch Group, Inc.
    07FB Access Co., Ltd
    07FC Renault SA
    07FD JSK CO., LTD.
    07FE BIROTA
    07FF maxon motor ltd.
    """
  )
}
