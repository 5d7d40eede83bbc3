extension AssignedNames {
  /// Companies 0x0400 to 0x05FF (Assigned Numbers of June 2026, 7.1).
  static let companies0400 = AssignedNameTable(
    """
    0400 i-developer IT Beratung UG
    0401 Relations Inc.
    0402 Sears Holdings Corporation
    0403 Gantner Electronic GmbH
    0404 Authomate Inc
    0405 Vertex International, Inc.
    0407 Swiss Audio SA
    0408 ToGetHome Inc.
    0409 RYSE INC.
    040A ZF OPENMATICS s.r.o.
    040B Jana Care Inc.
    040C Senix Corporation
    040D NorthStar Battery Company, LLC
    040E SKF (U.K.) Limited
    040F CO-AX Technology, Inc.
    0410 Fender Musical Instruments
    0411 Luidia Inc
    0412 SEFAM
    0413 Wireless Cables Inc
    0416 SODA GmbH
    0417 Fatigue Science
    0419 Novalogy LTD
    041A Friday Labs Limited
    041B OrthoAccel Technologies
    041C WaterGuru, Inc.
    041D Benning Elektrotechnik und Elektronik GmbH & Co. KG
    041E Dell Computer Corporation
    041F Kopin Corporation
    0420 TecBakery GmbH
    0421 Backbone Labs, Inc.
    0422 DELSEY SA
    0423 Chargifi Limited
    0424 Trainesense Ltd.
    0425 Unify Software and Solutions GmbH & Co. KG
    0426 Husqvarna AB
    0427 Focus fleet and fuel management inc
    0428 SmallLoop, LLC
    0429 Prolon Inc.
    042A BD Medical
    042B iMicroMed Incorporated
    042C Ticto N.V.
    042D Meshtech AS
    042E MemCachier Inc.
    042F Danfoss A/S
    0430 SnapStyk Inc.
    0431 Alticor Inc.
    0432 Silk Labs, Inc.
    0433 Pillsy Inc.
    0434 Hatch Baby, Inc.
    0435 Blocks Wearables Ltd.
    0436 Drayson Technologies (Europe) Limited
    0437 eBest IOT Inc.
    0438 Helvar Ltd
    0439 Radiance Technologies
    043A Nuheara Limited
    043B Appside co., ltd.
    043D Coiler Corporation
    043E Thermomedics, Inc.
    043F Tentacle Sync GmbH
    0440 Valencell, Inc.
    0442 SECOM CO., LTD.
    0443 Tucker International LLC
    0444 Metanate Limited
    0445 Kobian Canada Inc.
    0446 NETGEAR, Inc.
    0447 Fabtronics Australia Pty Ltd
    0448 Grand Centrix GmbH
    0449 1UP USA.com llc
    044A SHIMANO INC.
    044B Nain Inc.
    044C LifeStyle Lock, LLC
    044D VEGA Grieshaber KG
    044E Xtrava Inc.
    044F TTS Tooltechnic Systems AG & Co. KG
    0450 Teenage Engineering AB
    0451 Tunstall Nordic AB
    0452 Svep Design Center AB
    0453 Qorvo Utrecht B.V.
    0454 Sphinx Electronics GmbH & Co KG
    0455 Atomation
    0456 Nemik Consulting Inc
    0457 RF INNOVATION
    0458 Mini Solution Co., Ltd.
    045A 2048450 Ontario Inc
    045C Delta T Corporation
    045D Boston Scientific Corporation
    045E Nuviz, Inc.
    045F Real Time Automation, Inc.
    0460 Kolibree
    0461 vhf elektronik GmbH
    0462 Bonsai Systems GmbH
    0463 Fathom Systems Inc.
    0464 Bellman & Symfon Group AB
    0465 International Forte Group LLC
    0467 Codenex Oy
    0468 Kynesim Ltd
    0469 Palago AB
    046A INSIGMA INC.
    046B PMD Solutions
    046C Qingdao Realtime Technology Co., Ltd.
    046D BEGA Gantenbrink-Leuchten KG
    046E Pambor Ltd.
    046F Develco Products A/S
    0470 iDesign s.r.l.
    0471 TiVo Corp
    0472 Control-J Pty Ltd
    0473 Steelcase, Inc.
    0474 iApartment co., ltd.
    0475 Icom inc.
    0477 Blue Spark Technologies
    0478 FarSite Communications Limited
    0479 mywerk system GmbH
    047A Sinosun Technology Co., Ltd.
    047B MIYOSHI ELECTRONICS CORPORATION
    047C POWERMAT LTD
    047D Occly LLC
    047E OurHub Dev IvS
    047F Pro-Mark, Inc.
    0481 Quintrax Limited
    0482 POS Tuning Udo Vosshenrich GmbH & Co. KG
    0484 Revol Technologies Inc
    0485 SKIDATA AG
    0486 DEV TECNOLOGIA INDUSTRIA, COMERCIO E MANUTENCAO DE EQUIPAMENTOS LTDA. - ME
    0487 Centrica Connected Home
    0488 Automotive Data Solutions Inc
    0489 Igarashi Engineering
    048A Taelek Oy
    048C Vectronix AG
    048D S-Labs Sp. z o.o.
    048E Companion Medical, Inc.
    048F BlueKitchen GmbH
    0490 Matting AB
    0491 SOREX - Wireless Solutions GmbH
    0492 ADC Technology, Inc.
    0493 Lynxemi Pte Ltd
    0494 SENNHEISER electronic GmbH & Co. KG
    0496 Polymorphic Labs LLC
    0497 Cochlear Limited
    0498 METER Group, Inc. USA
    0499 Ruuvi Innovations Ltd.
    049A Situne AS
    049B nVisti, LLC
    049C DyOcean
    049D Uhlmann & Zacher GmbH
    049E AND!XOR LLC
    049F Popper Pay AB
    04A2 ovrEngineered, LLC
    04A3 GT-tronics HK Ltd
    04A4 Herbert Waldmann GmbH & Co. KG
    04A5 Guangzhou FiiO Electronics Technology Co.,Ltd
    04A6 Vinetech Co., Ltd
    04A7 Dallas Logic Corporation
    04A8 BioTex, Inc.
    04AA LINKIO SAS
    04AB Harbortronics, Inc.
    04AC Undagrid B.V.
    04AD Shure Inc
    04AE ERM Electronic Systems LTD
    04AF BIOROWER Handelsagentur GmbH
    04B1 Kartographers Technologies Pvt. Ltd.
    04B2 The Shadow on the Moon
    04B3 mobike (Hong Kong) Limited
    04B4 Inuheat Group AB
    04B5 Swiftronix AB
    04B6 Diagnoptics Technologies
    04B7 Analog Devices, Inc.
    04B8 Soraa Inc.
    04B9 CSR Building Products Limited
    04BA Crestron Electronics, Inc.
    04BB Neatebox Ltd
    04BC Draegerwerk AG & Co. KGaA
    04BD AlbynMedical
    04BE Averos FZCO
    04BF VIT Initiative, LLC
    04C0 Statsports International
    04C1 Sospitas, s.r.o.
    04C2 Dmet Products Corp.
    04C3 Mantracourt Electronics Limited
    04C4 TeAM Hutchins AB
    04C5 Seibert Williams Glass, LLC
    04C6 Insta GmbH
    04C7 Svantek Sp. z o.o.
    04C8 Shanghai Flyco Electrical Appliance Co., Ltd.
    04C9 Thornwave Labs Inc
    04CA Steiner-Optik GmbH
    04CB Novo Nordisk A/S
    04CD Safetech Products LLC
    04CE GOOOLED S.R.L.
    04CF DOM Sicherheitstechnik GmbH & Co. KG
    04D0 Olympus Corporation
    04D1 KTS GmbH
    04D2 Anloq Technologies Inc.
    04D3 Queercon, Inc
    04D4 TASKA PROSTHETICS LIMITED
    04D5 Gooee Limited
    04D6 LUGLOC LLC
    04D7 Blincam, Inc.
    04D8 FUJIFILM Corporation
    04D9 RM Acquisition LLC
    04DA Franceschi Marina snc
    04DB Engineered Audio, LLC.
    04DC IOTTIVE (OPC) PRIVATE LIMITED
    04DD 4MOD Technology
    04DE Lutron Electronics Co., Inc.
    04DF Emerson Electric Co.
    04E0 Guardtec, Inc.
    04E1 REACTEC LIMITED
    04E3 Under Armour
    04E4 Woodenshark
    04E5 Avack Oy
    04E6 Smart Solution Technology, Inc.
    04E8 STABILO International
    04E9 Busch Jaeger Elektro GmbH
    04EA Pacific Bioscience Laboratories, Inc
    04EB Bird Home Automation GmbH
    04EC Motorola Solutions
    04EE Auxivia
    04EF DaisyWorks, Inc
    04F0 Kosi Limited
    04F1 Theben AG
    04F2 InDreamer Techsol Private Limited
    04F3 Cerevast Medical
    04F4 ZanCompute Inc.
    04F5 Pirelli Tyre S.P.A.
    04F6 McLear Limited
    04F7 Shenzhen Goodix Technology Co., Ltd
    04F8 Convergence Systems Limited
    04F9 Interactio
    04FA Androtec GmbH
    04FB Benchmark Drives GmbH & Co. KG
    04FC SwingLync L. L. C.
    04FD Tapkey GmbH
    04FE Woosim Systems Inc.
    04FF Microsemi Corporation
    0500 Wiliot LTD.
    0501 Polaris IND
    0502 Specifi-Kali LLC
    0503 Locoroll, Inc
    0504 PHYPLUS Inc
    0505 InPlay, Inc.
    0506 Hager
    0507 Yellowcog
    0508 Axes System sp. z o. o.
    0509 Garage Smart, Inc.
    050A Shake-on B.V.
    050B Vibrissa Inc.
    050C OSRAM GmbH
    050D TRSystems GmbH
    050E Yichip Microelectronics (Hangzhou) Co.,Ltd.
    050F Foundation Engineering LLC
    0510 UNI-ELECTRONICS, INC.
    0511 Brookfield Equinox LLC
    0512 Soprod SA
    0513 9974091 Canada Inc.
    0514 FIBRO GmbH
    0515 RB Controls Co., Ltd.
    0516 Footmarks
    0517 Amtronic Sverige AB
    0518 MAMORIO.inc
    0519 Tyto Life LLC
    051A Leica Camera AG
    051C EDPS
    051D OFF Line Co., Ltd.
    051E Detect Blue Limited
    051F Setec Pty Ltd
    0520 Target Corporation
    0521 IAI Corporation
    0522 NS Tech, Inc.
    0523 MTG Co., Ltd.
    0524 Hangzhou iMagic Technology Co., Ltd
    0525 HONGKONG NANO IC TECHNOLOGIES  CO., LIMITED
    0526 Honeywell International Inc.
    0527 Albrecht JUNG
    0528 Lunera Lighting Inc.
    0529 Lumen UAB
    052A Keynes Controls Ltd
    052B Novartis AG
    052C Geosatis SA
    052D EXFO, Inc.
    052E LEDVANCE GmbH
    052F Center ID Corp.
    0530 Adolene, Inc.
    0531 D&M Holdings Inc.
    0532 CRESCO Wireless, Inc.
    0533 Nura Operations Pty Ltd
    0534 Frontiergadget, Inc.
    0535 Smart Component Technologies Limited
    0536 ZTR Control Systems LLC
    0537 MetaLogics Corporation
    0538 Medela AG
    0539 OPPLE Lighting Co., Ltd
    053A Savitech Corp.,
    053B prodigy
    053C Screenovate Technologies Ltd
    053D TESA SA
    053E CLIM8 LIMITED
    053F Silergy Corp
    0540 SilverPlus, Inc
    0541 Sharknet srl
    0542 Mist Systems, Inc.
    0543 MIWA LOCK CO.,Ltd
    0544 OrthoSensor, Inc.
    0546 Apexar Technologies S.A.
    0547 LOGICDATA Electronic & Software Entwicklungs GmbH
    0548 Knick Elektronische Messgeraete GmbH & Co. KG
    0549 Smart Technologies and Investment Limited
    054A Linough Inc.
    054B Advanced Electronic Designs, Inc.
    054C Carefree Scott Fetzer Co Inc
    054D Sensome
    054E FORTRONIK storitve d.o.o.
    054F Sinnoz
    0551 Sylero
    0552 Avempace SARL
    0553 Nintendo Co., Ltd.
    0554 National Instruments
    0555 KROHNE Messtechnik GmbH
    0556 Otodynamics Ltd
    0557 Arwin Technology Limited
    0558 benegear, inc.
    0559 Newcon Optik
    055A CANDY HOUSE, Inc.
    055B FRANKLIN TECHNOLOGY INC
    055C Lely
    055D Valve Corporation
    055E Hekatron Vertriebs GmbH
    055F PROTECH S.A.S. DI GIRARDI ANDREA & C.
    0560 Sarita CareTech APS
    0561 Finder S.p.A.
    0562 Thalmic Labs Inc.
    0563 Steinel Vertrieb GmbH
    0564 Beghelli Spa
    0566 CORE TRANSPORT TECHNOLOGIES NZ LIMITED
    0567 Xiamen Everesports Goods Co., Ltd
    0568 Bodyport Inc.
    056A Flipnavi Co.,Ltd.
    056B Rion Co., Ltd.
    056C Long Range Systems, LLC
    056D Redmond Industrial Group LLC
    056E VIZPIN INC.
    056F BikeFinder AS
    0570 Consumer Sleep Solutions LLC
    0571 PSIKICK, INC.
    0572 AntTail.com
    0573 Lighting Science Group Corp.
    0574 AFFORDABLE ELECTRONICS INC
    0575 Integral Memroy Plc
    0576 Globalstar, Inc.
    0577 True Wearables, Inc.
    0578 Wellington Drive Technologies Ltd
    057A OMNI Remotes
    057B Duracell U.S. Operations Inc.
    057C Toor Technologies LLC
    057D Instinct Performance
    057E Beco, Inc
    057F Scuf Gaming International, LLC
    0581 LYS TECHNOLOGIES LTD
    0582 Breakwall Analytics, LLC
    0583 Code Blue Communications
    0584 Gira Giersiepen GmbH & Co. KG
    0585 Hearing Lab Technology
    0586 LEGRAND
    0587 Derichs GmbH
    0588 ALT-TEKNIK LLC
    0589 Star Technologies
    058A START TODAY CO.,LTD.
    058B Maxim Integrated Products
    058C Fracarro Radioindustrie SRL
    058D Jungheinrich Aktiengesellschaft
    058E Meta Platforms Technologies, LLC
    058F HENDON SEMICONDUCTORS PTY LTD
    0590 Pur3 Ltd
    0591 Viasat Group S.p.A.
    0592 IZITHERM
    0593 Spaulding Clinical Research
    0594 Kohler Company
    0595 Inor Process AB
    0596 My Smart Blinds
    0597 RadioPulse Inc
    0598 rapitag GmbH
    0599 Lazlo326, LLC.
    059A Teledyne Lecroy, Inc.
    059B Dataflow Systems Limited
    059C Macrogiga Electronics
    059D Tandem Diabetes Care
    059E Polycom, Inc.
    059F Fisher & Paykel Healthcare
    05A0 Dream Devices Technologies Oy
    05A1 Shanghai Xiaoyi Technology Co.,Ltd.
    05A2 ADHERIUM(NZ) LIMITED
    05A3 Axiomware Systems Incorporated
    05A4 O. E. M. Controls, Inc.
    05A5 Kiiroo BV
    05A6 Telecon Mobile Limited
    05A7 Sonos Inc
    05A8 Tom Allebrandi Consulting
    05A9 Monidor
    05AA Tramex Limited
    05AB Nofence AS
    05AC GoerTek Dynaudio Co., Ltd.
    05AD INIA
    05AE CARMATE MFG.CO.,LTD
    05AF OV LOOP, INC.
    05B0 NewTec GmbH
    05B1 Medallion Instrumentation Systems
    05B2 CAREL INDUSTRIES S.P.A.
    05B3 Parabit Systems, Inc.
    05B4 White Horse Scientific ltd
    05B5 verisilicon
    05B6 Elecs Industry Co.,Ltd.
    05B7 Beijing Pinecone Electronics Co.,Ltd.
    05B8 Ambystoma Labs Inc.
    05B9 Suzhou Pairlink Network Technology
    05BA igloohome
    05BB Oxford Metrics plc
    05BC Leviton Mfg. Co., Inc.
    05BD ULC Robotics Inc.
    05BF Real-World-Systems Corporation
    05C0 Nalu Medical, Inc.
    05C1 P.I.Engineering
    05C2 Grote Industries
    05C3 Runtime, Inc.
    05C4 Codecoup sp. z o.o. sp. k.
    05C5 SELVE GmbH & Co. KG
    05C7 Lippert Components, INC
    05C8 SOMFY SAS
    05C9 TBS Electronics B.V.
    05CA MHL Custom Inc
    05CB LucentWear LLC
    05CC WATTS ELECTRONICS
    05CD RJ Brands LLC
    05CE V-ZUG Ltd
    05CF Biowatch SA
    05D0 Anova Applied Electronics
    05D1 Lindab AB
    05D2 frogblue TECHNOLOGY GmbH
    05D3 Acurable Limited
    05D4 LAMPLIGHT Co., Ltd.
    05D5 TEGAM, Inc.
    05D6 Zhuhai Jieli technology Co.,Ltd
    05D7 modum.io AG
    05D8 Farm Jenny LLC
    05D9 Toyo Electronics Corporation
    05DA Applied Neural Research Corp
    05DB Avid Identification Systems, Inc.
    05DC Petronics Inc.
    05DD essentim GmbH
    05DE QT Medical INC.
    05DF VIRTUALCLINIC.DIRECT LIMITED
    05E0 Viper Design LLC
    05E1 Human, Incorporated
    05E2 stAPPtronics GmbH
    05E3 Elemental Machines, Inc.
    05E4 Taiyo Yuden Co., Ltd
    05E5 INEO ENERGY& SYSTEMS
    05E6 Motion Instruments Inc.
    05E7 PressurePro
    05E8 COWBOY
    05E9 iconmobile GmbH
    05EA ACS-Control-System GmbH
    05EB Bayerische Motoren Werke AG
    05EC Gycom Svenska AB
    05ED Fuji Xerox Co., Ltd
    05EF SIKOM AS
    05F0 beken
    05F1 The Linux Foundation
    05F2 Try and E CO.,LTD.
    05F3 SeeScan
    05F4 Clearity, LLC
    05F5 GS TAG
    05F6 DPTechnics
    05F7 TRACMO, INC.
    05F8 Anki Inc.
    05F9 Hagleitner Hygiene International GmbH
    05FA Konami Sports Life Co., Ltd.
    05FB Arblet Inc.
    05FC Masbando GmbH
    05FD Innoseis
    05FE Niko nv
    05FF Wellnomics Ltd
    """
  )
}
