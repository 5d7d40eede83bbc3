extension AssignedNames {
  /// Companies 0x0A00 to 0x0BFF (Assigned Numbers of June 2026, 7.1).
  static let companies0A00 = AssignedNameTable(
    """
    0A00 Ampler Bikes OU
    0A01 Cleveron AS
    0A02 Ayxon-Dynamics GmbH
    0A03 donutrobotics Co., Ltd.
    0A04 Flosonics Medical
    0A05 Southwire Company, LLC
    0A06 Shanghai wuqi microelectronics Co.,Ltd
    0A07 Reflow Pty Ltd
    0A08 Oras Oy
    0A0A Volan Technology Inc.
    0A0B SIANA Systems
    0A0C Shanghai Yidian Intelligent Technology Co., Ltd.
    0A0D Blue Peacock GmbH
    0A0E Roland Corporation
    0A0F LIXIL Corporation
    0A10 SUBARU Corporation
    0A11 Sensolus
    0A12 Dyson Technology Limited
    0A13 Tec4med LifeScience GmbH
    0A14 CROXEL, INC.
    0A15 Syng Inc
    0A16 RIDE VISION LTD
    0A17 Plume Design Inc
    0A18 Cambridge Animal Technologies Ltd
    0A19 Maxell, Ltd.
    0A1A Link Labs, Inc.
    0A1B Embrava Pty Ltd
    0A1C INPEAK S.C.
    0A1D API-K
    0A1E CombiQ AB
    0A1F DeVilbiss Healthcare LLC
    0A20 Jiangxi Innotech Technology Co., Ltd
    0A21 Apollogic Sp. z o.o.
    0A22 DAIICHIKOSHO CO., LTD.
    0A23 BIXOLON CO.,LTD
    0A24 Atmosic Technologies, Inc.
    0A25 Eran Financial Services LLC
    0A26 Louis Vuitton
    0A27 AYU DEVICES PRIVATE LIMITED
    0A28 NanoFlex Power Corporation
    0A29 Worthcloud Technology Co.,Ltd
    0A2A Yamaha Corporation
    0A2B PaceBait IVS
    0A2C Shenzhen H&T Intelligent Control Co., Ltd
    0A2D Shenzhen Feasycom Technology Co., Ltd.
    0A2F Instamic, Inc.
    0A30 Air-Weigh
    0A31 Nevro Corp.
    0A32 Pinnacle Technology, Inc.
    0A33 WMF AG
    0A34 Luxer Corporation
    0A35 safectory GmbH
    0A36 NGK SPARK PLUG CO., LTD.
    0A37 2587702 Ontario Inc.
    0A38 Bouffalo Lab (Nanjing)., Ltd.
    0A39 BLUETICKETING SRL
    0A3A Incotex Co. Ltd.
    0A3B Galileo Technology Limited
    0A3C Siteco GmbH
    0A3D DELABIE
    0A3F Shenzhen Yopeak Optoelectronics Technology Co., Ltd.
    0A41 OPEX Corporation
    0A42 Motionalysis, Inc.
    0A43 Busch Systems International Inc.
    0A44 Novidan, Inc.
    0A45 3SI Security Systems, Inc
    0A46 Beijing HC-Infinite Technology Limited
    0A47 The Wand Company Ltd
    0A48 JRC Mobility Inc.
    0A49 Venture Research Inc.
    0A4A Map Large, Inc.
    0A4B MistyWest Energy and Transport Ltd.
    0A4C SiFli Technologies (shanghai) Inc.
    0A4D Lockn Technologies Private Limited
    0A4E Toytec Corporation
    0A4F VANMOOF Global Holding B.V.
    0A50 Nextscape Inc.
    0A51 CSIRO
    0A52 Follow Sense Europe B.V.
    0A53 KKM COMPANY LIMITED
    0A54 SQL Technologies Corp.
    0A55 Inugo Systems Limited
    0A56 ambie
    0A57 Meizhou Guo Wei Electronics Co., Ltd
    0A58 Indigo Diabetes
    0A59 TourBuilt, LLC
    0A5A Sontheim Industrie Elektronik GmbH
    0A5B LEGIC Identsystems AG
    0A5C Innovative Design Labs Inc.
    0A5D MG Energy Systems B.V.
    0A5F stryker
    0A60 DATANG SEMICONDUCTOR TECHNOLOGY CO.,LTD
    0A61 Smart Parks B.V.
    0A62 MOKO TECHNOLOGY Ltd
    0A64 Geopal system A/S
    0A65 Lytx, INC.
    0A67 Beijing SuperHexa Century Technology CO. Ltd
    0A68 Focus Ingenieria SRL
    0A69 HAPPIEST BABY, INC.
    0A6A Scribble Design Inc.
    0A6B Olympic Ophthalmics, Inc.
    0A6C Pokkels
    0A6D KUUKANJYOKIN Co.,Ltd.
    0A6E Pac Sane Limited
    0A6F Warner Bros.
    0A70 Ooma
    0A71 Senquip Pty Ltd
    0A72 Jumo GmbH & Co. KG
    0A73 Innohome Oy
    0A74 MICROSON S.A.
    0A75 Delta Cycle Corporation
    0A76 Synaptics Incorporated
    0A77 AXTRO PTE. LTD.
    0A78 Shenzhen Sunricher Technology Limited
    0A79 Webasto SE
    0A7A Emlid Limited
    0A7B UniqAir Oy
    0A7C WAFERLOCK
    0A7D Freedman Electronics Pty Ltd
    0A7E KEBA Handover Automation GmbH
    0A7F Intuity Medical
    0A80 Cleer Limited
    0A81 Universal Biosensors Pty Ltd
    0A82 Corsair
    0A83 Rivata, Inc.
    0A84 Greennote Inc,
    0A85 Snowball Technology Co., Ltd.
    0A86 ALIZENT International
    0A87 Shanghai Smart System Technology Co., Ltd
    0A88 PSA Peugeot Citroen
    0A89 VusionGroup
    0A8A HAINBUCH GMBH SPANNENDE TECHNIK
    0A8B SANlight GmbH
    0A8C DelpSys, s.r.o.
    0A8D JCM TECHNOLOGIES S.A.
    0A8E Perfect Company
    0A8F TOTO LTD.
    0A90 Shenzhen Grandsun Electronic Co.,Ltd.
    0A91 Monarch International Inc.
    0A92 Carestream Dental LLC
    0A93 GiPStech S.r.l.
    0A94 OOBIK Inc.
    0A95 Pamex Inc.
    0A97 SensTek
    0A98 Foil, Inc.
    0A99 Shanghai high-flying electronics technology Co.,Ltd
    0A9A TEMKIN ASSOCIATES, LLC
    0A9B Eello LLC
    0A9C Xi'an Fengyu Information Technology Co., Ltd.
    0A9D Canon Finetech Nisca Inc.
    0A9F ista International GmbH
    0AA0 Loy Tec electronics GmbH
    0AA1 LINCOGN TECHNOLOGY CO. LIMITED
    0AA2 Care Bloom, LLC
    0AA3 DIC Corporation
    0AA4 FAZEPRO LLC
    0AA5 Shenzhen Uascent Technology Co., Ltd
    0AA6 Realityworks, inc.
    0AA7 Urbanista AB
    0AA8 Zencontrol Pty Ltd
    0AA9 Spintly, Inc.
    0AAA Computime International Ltd
    0AAB Anhui Listenai Co
    0AAC OSM HK Limited
    0AAD Adevo Consulting AB
    0AAE PS Engineering, Inc.
    0AAF AIAIAI ApS
    0AB0 Visiontronic s.r.o.
    0AB1 InVue Security Products Inc
    0AB2 TouchTronics, Inc.
    0AB3 INNER RANGE PTY. LTD.
    0AB4 Ellenby Technologies, Inc.
    0AB5 Elstat Electronics Ltd.
    0AB6 Xenter, Inc.
    0AB7 LogTag North America Inc.
    0AB8 Sens.ai Incorporated
    0AB9 STL
    0ABA Open Bionics Ltd.
    0ABB R-DAS, s.r.o.
    0ABC KCCS Mobile Engineering Co., Ltd.
    0ABD Inventas AS
    0ABE Robkoo Information & Technologies Co., Ltd.
    0ABF PAUL HARTMANN AG
    0AC0 Omni-ID USA, INC.
    0AC1 Shenzhen Jingxun Technology Co., Ltd.
    0AC2 RealMega Microelectronics technology (Shanghai) Co. Ltd.
    0AC3 Kenzen, Inc.
    0AC4 CODIUM
    0AC5 Flexoptix GmbH
    0AC6 Barnes Group Inc.
    0AC7 Chengdu Aich Technology Co.,Ltd
    0AC8 Keepin Co., Ltd.
    0AC9 Swedlock AB
    0ACA Shenzhen CoolKit Technology Co., Ltd
    0ACB ise Individuelle Software und Elektronik GmbH
    0ACC Nuvoton
    0ACD Visuallex Sport International Limited
    0ACE KOBATA GAUGE MFG. CO., LTD.
    0ACF CACI Technologies
    0AD0 Nordic Strong ApS
    0AD1 EAGLE KINGDOM TECHNOLOGIES LIMITED
    0AD2 Lautsprecher Teufel GmbH
    0AD3 SSV Software Systems GmbH
    0AD4 Zhuhai Pantum Electronisc Co., Ltd
    0AD5 Streamit B.V.
    0AD6 nymea GmbH
    0AD7 AL-KO Geraete GmbH
    0AD8 Franz Kaldewei GmbH&Co KG
    0AD9 Shenzhen Aimore. Co.,Ltd
    0ADA Codefabrik GmbH
    0ADB Reelables, Inc.
    0ADC Duravit AG
    0ADD Boss Audio
    0ADE Vocera Communications, Inc.
    0ADF Douglas Dynamics L.L.C.
    0AE3 GlobalMed
    0AE4 DALI Alliance
    0AE5 unu GmbH
    0AE6 Hexology
    0AE7 Sunplus Technology Co., Ltd.
    0AE8 LEVEL, s.r.o.
    0AE9 FLIR Systems AB
    0AEA Borda Technology
    0AEB Square, Inc.
    0AEC FUTEK ADVANCED SENSOR TECHNOLOGY, INC
    0AED Saxonar GmbH
    0AEE Velentium, LLC
    0AEF GLP German Light Products GmbH
    0AF0 Leupold & Stevens, Inc.
    0AF1 CRADERS,CO.,LTD
    0AF2 Shanghai All Link Microelectronics Co.,Ltd
    0AF3 701x Inc.
    0AF4 Radioworks Microelectronics PTY LTD
    0AF5 Unitech Electronic Inc.
    0AF6 AMETEK, Inc.
    0AF7 Irdeto
    0AF8 First Design System Inc.
    0AF9 Unisto AG
    0AFA Chengdu Ambit Technology Co., Ltd.
    0AFB SMT ELEKTRONIK GmbH
    0AFC Cerebrum Sensor Technologies Inc.
    0AFD Weber Sensors, LLC
    0AFE Earda Technologies Co.,Ltd
    0AFF FUSEAWARE LIMITED
    0B00 Flaircomm Microelectronics Inc.
    0B01 RESIDEO TECHNOLOGIES, INC.
    0B02 IORA Technology Development Ltd. Sti.
    0B03 Precision Triathlon Systems Limited
    0B05 Marquardt GmbH
    0B06 FAZUA GmbH
    0B07 Workaround Gmbh
    0B08 Shenzhen Qianfenyi Intelligent Technology Co., LTD
    0B09 soonisys
    0B0A Belun Technology Company Limited
    0B0B Sanistaal A/S
    0B0C BluPeak
    0B0D SANYO DENKO Co.,Ltd.
    0B0E Minebea Access Solutions Inc.
    0B0F B.E.A. S.A.
    0B10 Alfa Laval Corporate AB
    0B11 ThermoWorks, Inc.
    0B12 ToughBuilt Industries LLC
    0B13 IOTOOLS
    0B14 Olumee
    0B15 NAOS JAPAN K.K.
    0B16 Guard RFID Solutions Inc.
    0B17 SIG SAUER, INC.
    0B18 DECATHLON SE
    0B19 WBS PROJECT H PTY LTD
    0B1A Roca Sanitario, S.A.
    0B1B Enerpac Tool Group Corp.
    0B1C Nanoleq AG
    0B1D Accelerated Systems
    0B1E PB INC.
    0B1F Beijing ESWIN Computing Technology Co., Ltd.
    0B20 TKH Security B.V.
    0B22 Hygiene IQ, LLC.
    0B23 iRhythm Technologies, Inc.
    0B24 BeiJing ZiJie TiaoDong KeJi Co.,Ltd.
    0B25 NIBROTECH LTD
    0B26 Baracoda Daily Healthtech.
    0B27 Lumi United Technology Co., Ltd
    0B28 CHACON
    0B29 Tech-Venom Entertainment Private Limited
    0B2B MAINBOT
    0B2C ILLUMAGEAR, Inc.
    0B2D REDARC ELECTRONICS PTY LTD
    0B2E MOCA System Inc.
    0B2F Duke Manufacturing Co
    0B30 ART SPA
    0B31 Silver Wolf Vehicles Inc.
    0B32 Hala Systems, Inc.
    0B33 ARMATURA LLC
    0B34 CONZUMEX INDUSTRIES PRIVATE LIMITED
    0B35 BH SENS
    0B36 SINTEF
    0B37 Omnivoltaic Energy Solutions Limited Company
    0B38 WISYCOM S.R.L.
    0B39 Red 100 Lighting Co., ltd.
    0B3A Impact Biosystems, Inc.
    0B3B AIC semiconductor (Shanghai) Co., Ltd.
    0B3C Dodge Industrial, Inc.
    0B3D REALTIMEID AS
    0B3E ISEO Serrature S.p.a.
    0B3F MindRhythm, Inc.
    0B40 Havells India Limited
    0B41 Sentrax GmbH
    0B42 TSI
    0B43 INCITAT ENVIRONNEMENT
    0B44 nFore Technology Co., Ltd.
    0B45 Electronic Sensors, Inc.
    0B47 Gentex Corporation
    0B48 NIO USA, Inc.
    0B49 SkyHawke Technologies
    0B4A Nomono AS
    0B4B EMS Integrators, LLC
    0B4C BiosBob.Biz
    0B4D Adam Hall GmbH
    0B4E ICP Systems B.V.
    0B4F Breezi.io, Inc.
    0B50 Mesh Systems LLC
    0B51 FUN FACTORY GmbH
    0B52 ZIIP Inc
    0B53 SHENZHEN KAADAS INTELLIGENT TECHNOLOGY CO.,Ltd
    0B54 Emotion Fitness GmbH & Co. KG
    0B55 H G M Automotive Electronics, Inc.
    0B56 BORA - Vertriebs GmbH & Co KG
    0B57 CONVERTRONIX TECHNOLOGIES AND SERVICES LLP
    0B58 TOKAI-DENSHI INC
    0B5B Shenzhen ImagineVision Technology Limited
    0B5D Fujian Newland Auto-ID Tech. Co., Ltd.
    0B5E CELLCONTROL, INC.
    0B5F Rivieh, Inc.
    0B60 RATOC Systems, Inc.
    0B61 Sentek Pty Ltd
    0B62 NOVEA ENERGIES
    0B63 Innolux Corporation
    0B64 NingBo klite Electric Manufacture Co.,LTD
    0B65 The Apache Software Foundation
    0B66 MITSUBISHI ELECTRIC AUTOMATION (THAILAND) COMPANY LIMITED
    0B67 CleanSpace Technology Pty Ltd
    0B68 Quha oy
    0B69 Addaday
    0B6A Dymo
    0B6B Samsara Networks, Inc
    0B6C Sensitech, Inc.
    0B6D SOLUM CO., LTD
    0B6E React Mobile
    0B70 JDRF Electromag Engineering Inc
    0B71 lilbit ODM AS
    0B72 Geeknet, Inc.
    0B73 HARADA INDUSTRY CO., LTD.
    0B74 BQN
    0B75 Triple W Japan Inc.
    0B76 MAX-co., ltd
    0B77 Aixlink(Chengdu) Co., Ltd.
    0B78 FIELD DESIGN INC.
    0B79 Sankyo Air Tech Co.,Ltd.
    0B7A Shenzhen KTC Technology Co.,Ltd.
    0B7B Hardcoder Oy
    0B7C Scangrip A/S
    0B7D FoundersLane GmbH
    0B7E Offcode Oy
    0B7F ICU tech GmbH
    0B80 AXELIFE
    0B81 SCM Group
    0B82 Mammut Sports Group AG
    0B83 Taiga Motors Inc.
    0B84 Presidio Medical, Inc.
    0B85 VIMANA TECH PTY LTD
    0B86 Trek Bicycle
    0B87 Ampetronic Ltd
    0B88 Muguang (Guangdong) Intelligent Lighting Technology Co., Ltd
    0B89 Rotronic AG
    0B8A Seiko Instruments Inc.
    0B8B American Technology Components, Incorporated
    0B8C MOTREX
    0B8D Pertech Industries Inc
    0B8E Gentle Energy Corp.
    0B8F Senscomm Semiconductor Co., Ltd.
    0B90 Ineos Automotive Limited
    0B91 Alfen ICU B.V.
    0B92 Citisend Solutions, SL
    0B93 Hangzhou BroadLink Technology Co., Ltd.
    0B94 Dreem SAS
    0B96 Telecom Design
    0B97 SILVER TREE LABS, INC.
    0B98 Gymstory B.V.
    0B99 The Goodyear Tire & Rubber Company
    0B9A Beijing Wisepool Infinite Intelligence Technology Co.,Ltd
    0B9C Komatsu Ltd.
    0B9D Sensoria Holdings LTD
    0B9E Audio Partnership Plc
    0B9F Group Lotus Limited
    0BA0 Data Sciences International
    0BA1 Bunn-O-Matic Corporation
    0BA2 TireCheck GmbH
    0BA3 Sonova Consumer Hearing GmbH
    0BA4 Vervent Audio Group
    0BA5 SONICOS ENTERPRISES, LLC
    0BA6 Nissan Motor Co., Ltd.
    0BA7 hearX Group (Pty) Ltd
    0BA8 GLOWFORGE INC.
    0BA9 Allterco Robotics ltd
    0BAA Infinitegra, Inc.
    0BAB Grandex International Corporation
    0BAC Machfu Inc.
    0BAD Roambotics, Inc.
    0BAE Soma Labs LLC
    0BAF NITTO KOGYO CORPORATION
    0BB0 Ecolab Inc.
    0BB1 Beijing ranxin intelligence technology Co.,LTD
    0BB2 Fjorden Electra AS
    0BB3 Flender GmbH
    0BB4 New Cosmos USA, Inc.
    0BB5 Xirgo Technologies, LLC
    0BB6 Build With Robots Inc.
    0BB7 IONA Tech LLC
    0BB8 INNOVAG PTY. LTD.
    0BB9 SaluStim Group Oy
    0BBA Huso, INC
    0BBB SWISSINNO SOLUTIONS AG
    0BBC T2REALITY SOLUTIONS PRIVATE LIMITED
    0BBE SAAB Aktiebolag
    0BBF HIMSA II K/S
    0BC0 READY FOR SKY LLP
    0BC1 Miele & Cie. KG
    0BC2 EntWick Co.
    0BC3 MCOT INC.
    0BC4 TECHTICS ENGINEERING B.V.
    0BC5 Aperia Technologies, Inc.
    0BC6 TCL COMMUNICATION EQUIPMENT CO.,LTD.
    0BC7 Signtle Inc.
    0BC8 OTF Distribution, LLC
    0BC9 Neuvatek Inc.
    0BCA Perimeter Technologies, Inc.
    0BCB Divesoft s.r.o.
    0BCC Sylvac sa
    0BCD Amiko srl
    0BCE Neurosity, Inc.
    0BCF LL Tec Group LLC
    0BD0 Durag GmbH
    0BD1 Hubei Yuan Times Technology Co., Ltd.
    0BD2 IDEC
    0BD3 Procon Analytics, LLC
    0BD4 ndd Medizintechnik AG
    0BD5 Super B Lithium Power B.V.
    0BD6 Shenzhen Injoinic Technology Co., Ltd.
    0BD7 VINFAST TRADING AND PRODUCTION JOINT STOCK COMPANY
    0BD8 PURA SCENTS, INC.
    0BDA Aardex Ltd.
    0BDB CHAR-BROIL, LLC
    0BDC Ledworks S.r.l.
    0BDD Coroflo Limited
    0BDE Yale
    0BDF WINKEY ENTERPRISE (HONG KONG) LIMITED
    0BE0 Koizumi Lighting Technology corp.
    0BE2 OTC engineering
    0BE3 Comtel Systems Ltd.
    0BE4 Deepfield Connect GmbH
    0BE5 ZWILLING J.A. Henckels Aktiengesellschaft
    0BE6 Puratap Pty Ltd
    0BE7 Fresnel Technologies, Inc.
    0BE8 Sensormate AG
    0BE9 Shindengen Electric Manufacturing Co., Ltd.
    0BEA Twenty Five Seven, prodaja in storitve, d.o.o.
    0BEB Luna Health, Inc.
    0BEC Miracle-Ear, Inc.
    0BED CORAL-TAIYI Co. Ltd.
    0BEE LINKSYS USA, INC.
    0BEF Safetytest GmbH
    0BF0 KIDO SPORTS CO., LTD.
    0BF1 Site IQ LLC
    0BF2 Angel Medical Systems, Inc.
    0BF3 PONE BIOMETRICS AS
    0BF5 T5 tek, Inc.
    0BF6 greenTEG AG
    0BF7 Wacker Neuson SE
    0BF8 Innovacionnye Resheniya
    0BFA CleanBands Systems Ltd.
    0BFB Dodam Enersys Co., Ltd
    0BFC T+A elektroakustik GmbH & Co.KG
    0BFD Esmé Solutions
    0BFE Media-Cartec GmbH
    0BFF Ratio Electric BV
    """
  )
}
