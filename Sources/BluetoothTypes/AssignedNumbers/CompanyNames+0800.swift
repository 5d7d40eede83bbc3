extension AssignedNames {
  /// Companies 0x0800 to 0x09FF (Assigned Numbers of June 2026, 7.1).
  static let companies0800 = AssignedNameTable(
    """
    0800 Optek
    0801 CRONUS ELECTRONICS LTD
    0802 NantSound, Inc.
    0803 Domintell s.a.
    0804 Andon Health Co.,Ltd
    0805 Urbanminded Ltd
    0806 TYRI Sweden AB
    0807 ECD Electronic Components GmbH Dresden
    0808 SISTEMAS KERN, SOCIEDAD ANÓMINA
    0809 Trulli Audio
    080A Altaneos
    080B Nanoleaf Canada Limited
    080C Ingy B.V.
    080D Azbil Co.
    080E TATTCOM LLC
    080F Paradox Engineering SA
    0810 LECO Corporation
    0811 Becker Antriebe GmbH
    0812 Mstream Technologies., Inc.
    0813 Flextronics International USA Inc.
    0814 Ossur hf.
    0815 SKC Inc
    0816 SPICA SYSTEMS LLC
    0817 Wangs Alliance Corporation
    0818 tatwah SA
    0819 Hunter Douglas Inc
    081A Shenzhen Conex
    081B DIM3
    081C Bobrick Washroom Equipment, Inc.
    081D Potrykus Holdings and Development LLC
    081E iNFORM Technology GmbH
    081F eSenseLab LTD
    0820 Brilliant Home Technology, Inc.
    0821 INOVA Geophysical, Inc.
    0822 adafruit industries
    0823 Nexite Ltd
    0824 8Power Limited
    0825 CME PTE. LTD.
    0826 Hyundai Motor Company
    0827 Kickmaker
    0828 Shanghai Suisheng Information Technology Co., Ltd.
    0829 HEXAGON METROLOGY DIVISION ROMER
    082A Mitutoyo Corporation
    082B shenzhen fitcare electronics Co.,Ltd
    082C INGICS TECHNOLOGY CO., LTD.
    082D INCUS PERFORMANCE LTD.
    082E ABB S.p.A.
    082F Blippit AB
    0831 Foxble, LLC
    0832 Intermotive,Inc.
    0833 Conneqtech B.V.
    0834 RIKEN KEIKI CO., LTD.,
    0835 Canopy Growth Corporation
    0836 Bitwards Oy
    0837 vivo Mobile Communication Co., Ltd.
    0838 Etymotic Research, Inc.
    0839 A puissance 3
    083A BPW Bergische Achsen Kommanditgesellschaft
    083B Piaggio Fast Forward
    083C BeerTech LTD
    083D Tokenize, Inc.
    083E Zorachka LTD
    083F D-Link Corp.
    0840 Down Range Systems LLC
    0841 General Luminaire (Shanghai) Co., Ltd.
    0842 Tangshan HongJia electronic technology co., LTD.
    0843 FRAGRANCE DELIVERY TECHNOLOGIES LTD
    0844 Pepperl + Fuchs GmbH
    0845 Dometic Corporation
    0846 USound GmbH
    0847 DNANUDGE LIMITED
    0848 JUJU JOINTS CANADA CORP.
    0849 Dopple Technologies B.V.
    084A ARCOM
    084B Biotechware SRL
    084C ORSO Inc.
    084D SafePort
    084E Carol Cole Company
    084F Embedded Fitness B.V.
    0850 Yealink (Xiamen) Network Technology Co.,LTD
    0851 Subeca, Inc.
    0852 Cognosos, Inc.
    0853 Pektron Group Limited
    0854 Tap Sound System
    0855 Helios Sports, Inc.
    0856 Canopy Growth Corporation
    0857 Parsyl Inc
    0858 SOUNDBOKS
    0859 BlueUp
    085A DAKATECH
    085B Nisshinbo Micro Devices Inc.
    085C ACOS CO.,LTD.
    085D Guilin Zhishen Information Technology Co.,Ltd.
    085E Krog Systems LLC
    0860 Alflex Products B.V.
    0861 SmartSensor Labs Ltd
    0862 SmartDrive
    0863 Yo-tronics Technology Co., Ltd.
    0864 Rafaelmicro
    0865 Emergency Lighting Products Limited
    0866 LAONZ Co.,Ltd
    0867 Western Digital Techologies, Inc.
    0868 WIOsense GmbH & Co. KG
    0869 EVVA Sicherheitstechnologie GmbH
    086A Odic Incorporated
    086B Pacific Track, LLC
    086C Revvo Technologies, Inc.
    086D Biometrika d.o.o.
    086E Vorwerk Elektrowerke GmbH & Co. KG
    086F Trackunit A/S
    0870 Wyze Labs, Inc
    0871 Dension Elektronikai Kft.
    0872 11 Health & Technologies Limited
    0873 Innophase Incorporated
    0874 Treegreen Limited
    0875 Berner International LLC
    0876 SmartResQ ApS
    0877 Valtech
    0878 The Chamberlain Group, Inc.
    0879 MIZUNO Corporation
    087A ZRF, LLC
    087B BYSTAMP
    087C Crosscan GmbH
    087D Konftel AB
    087E 1bar.net Limited
    087F Phillips Connect Technologies LLC
    0880 imagiLabs AB
    0881 Optalert
    0882 PSYONIC, Inc.
    0883 Wintersteiger AG
    0884 Controlid Industria, Comercio de Hardware e Servicos de Tecnologia Ltda
    0886 Movella Technologies B.V.
    0887 Hydro-Gear Limited Partnership
    0888 EnPointe Fencing Pty Ltd
    0889 XANTHIO
    088A sclak s.r.l.
    088B Tricorder Arraay Technologies LLC
    088C GB Solution co.,Ltd
    088D Soliton Systems K.K.
    088F Tait International Limited
    0890 NICHIEI INTEC CO., LTD.
    0891 SmartWireless GmbH & Co. KG
    0892 Ingenieurbuero Birnfeld UG (haftungsbeschraenkt)
    0893 Maytronics Ltd
    0894 EPIFIT
    0895 Gimer medical
    0896 Nokian Renkaat Oyj
    0897 Current Lighting Solutions LLC
    0898 Sensibo, Inc.
    0899 SFS unimarket AG
    089A Private limited company "Teltonika"
    089B Saucon Technologies
    089C Embedded Devices Co. Company
    089D J-J.A.D.E. Enterprise LLC
    089E i-SENS, inc.
    089F Witschi Electronic Ltd
    08A0 Aclara Technologies LLC
    08A1 EXEO TECH CORPORATION
    08A2 Epic Systems Co., Ltd.
    08A3 Hoffmann SE
    08A4 Realme Chongqing Mobile Telecommunications Corp., Ltd.
    08A6 Intelligenceworks Inc.
    08A7 TGR 1.618 Limited
    08A8 Shanghai Kfcube Inc
    08A9 Fraunhofer IIS
    08AA SZ DJI TECHNOLOGY CO.,LTD
    08AB Coburn Technology, LLC
    08AC Topre Corporation
    08AD Kayamatics Limited
    08AE Moticon ReGo AG
    08AF Polidea Sp. z o.o.
    08B0 Trivedi Advanced Technologies LLC
    08B1 CORE|vision BV
    08B2 PF SCHWEISSTECHNOLOGIE GMBH
    08B3 IONIQ Skincare GmbH & Co. KG
    08B4 Sengled Co., Ltd.
    08B5 TransferFi
    08B6 Boehringer Ingelheim Vetmedica GmbH
    08B7 ABB Inc
    08B8 Check Technology Solutions LLC
    08B9 U-Shin Ltd.
    08BA HYPER ICE, INC.
    08BB Tokai-rika co.,ltd.
    08BC Prevayl Limited
    08BD bf1systems limited
    08BE ubisys technologies GmbH
    08BF SIRC Co., Ltd.
    08C0 Accent Advanced Systems SLU
    08C1 Rayden.Earth LTD
    08C2 Lindinvent AB
    08C3 CHIPOLO d.o.o.
    08C5 J. Wagner GmbH
    08C6 Integra Optics Inc
    08C7 Monadnock Systems Ltd.
    08C8 Liteboxer Technologies Inc.
    08C9 Noventa AG
    08CA Nubia Technology Co.,Ltd.
    08CB JT INNOVATIONS LIMITED
    08CC TGM TECHNOLOGY CO., LTD.
    08CD ifly
    08CE ZIMI CORPORATION
    08CF betternotstealmybike UG (with limited liability)
    08D0 ESTOM Infotech Kft.
    08D1 Sensovium Inc.
    08D2 Virscient Limited
    08D3 Novel Bits, LLC
    08D4 ADATA Technology Co., LTD.
    08D5 KEYes
    08D7 Inovonics Corp
    08D8 WARES
    08D9 Pointr Labs Limited
    08DA Miridia Technology Incorporated
    08DB Tertium Technology
    08DC SHENZHEN AUKEY E BUSINESS CO., LTD
    08DD code-Q
    08DE TE Connectivity Corporation
    08DF IRIS OHYAMA CO.,LTD.
    08E0 Philia Technology
    08E1 KOZO KEIKAKU ENGINEERING Inc.
    08E2 Shenzhen Simo Technology co. LTD
    08E3 Republic Wireless, Inc.
    08E4 Rashidov ltd
    08E5 Crowd Connected Ltd
    08E6 Eneso Tecnologia de Adaptacion S.L.
    08E7 Barrot Technology Co.,Ltd.
    08E8 Naonext
    08E9 Taiwan Intelligent Home Corp.
    08EA COWBELL ENGINEERING CO.,LTD.
    08EB Beijing Big Moment Technology Co., Ltd.
    08EC Denso Corporation
    08ED IMI Hydronic Engineering International SA
    08EE Askey Computer Corp.
    08EF Cumulus Digital Systems, Inc
    08F0 Joovv, Inc.
    08F1 The L.S. Starrett Company
    08F2 Microoled
    08F3 PSP - Pauli Services & Products GmbH
    08F4 Kodimo Technologies Company Limited
    08F5 Tymtix Technologies Private Limited
    08F6 Dermal Photonics Corporation
    08F7 MTD Products Inc & Affiliates
    08F8 instagrid GmbH
    08F9 Spacelabs Medical Inc.
    08FA Troo Corporation
    08FB Darkglass Electronics Oy
    08FC Hill-Rom
    08FD BioIntelliSense, Inc.
    08FE Ketronixs Sdn Bhd
    08FF Plastimold Products, Inc
    0900 Beijing Zizai Technology Co., LTD.
    0901 Lucimed
    0902 TSC Auto-ID Technology Co., Ltd.
    0903 DATAMARS, Inc.
    0904 SUNCORPORATION
    0905 Yandex Services AG
    0906 Scope Logistical Solutions
    0907 User Hello, LLC
    0908 Pinpoint Innovations Limited
    0909 70mai Co.,Ltd.
    090A Zhuhai Hoksi Technology CO.,LTD
    090B EMBR labs, INC
    090C Radiawave Technologies Co.,Ltd.
    090D IOT Invent GmbH
    090E OPTIMUSIOT TECH LLP
    090F VC Inc.
    0910 ASR Microelectronics (Shanghai) Co., Ltd.
    0911 Douglas Lighting Controls Inc.
    0912 Nerbio Medical Software Platforms Inc
    0913 Braveheart Wireless, Inc.
    0914 INEO-SENSE
    0915 Honda Motor Co., Ltd.
    0916 Ambient Sensors LLC
    0917 ASR Microelectronics(ShenZhen)Co., Ltd.
    0918 Technosphere Labs Pvt. Ltd.
    0919 NO SMD LIMITED
    091A Albertronic BV
    091B Luminostics, Inc.
    091C Oblamatik AG
    091D Innokind, Inc.
    091E Melbot Studios, Sociedad Limitada
    091F Myzee Technology
    0921 KAHA PTE. LTD.
    0922 Shanghai MXCHIP Information Technology Co., Ltd.
    0923 JSB TECH PTE LTD
    0924 Fundacion Tecnalia Research and Innovation
    0925 Yukai Engineering Inc.
    0926 Gooligum Technologies Pty Ltd
    0927 ROOQ GmbH
    0928 AiRISTA
    0929 Qingdao Haier Technology Co., Ltd.
    092A Sappl Verwaltungs- und Betriebs GmbH
    092B TekHome
    092C PCI Private Limited
    092D Leggett & Platt, Incorporated
    092E PS GmbH
    092F C.O.B.O. SpA
    0930 James Walker RotaBolt Limited
    0931 BREATHINGS Co., Ltd.
    0932 BarVision, LLC
    0933 SRAM
    0934 KiteSpring Inc.
    0935 Reconnect, Inc.
    0936 Elekon AG
    0937 RealThingks GmbH
    0938 Henway Technologies, LTD.
    0939 ASTEM Co.,Ltd.
    093A LinkedSemi Microelectronics (Xiamen) Co., Ltd
    093B ENSESO LLC
    093C Xenoma Inc.
    093D Adolf Wuerth GmbH & Co KG
    093E Catalyft Labs, Inc.
    093F JEPICO Corporation
    0940 Hero Workout GmbH
    0941 Rivian Automotive, LLC
    0942 TRANSSION HOLDINGS LIMITED
    0944 Agitron d.o.o.
    0945 Globe (Jiangsu) Co., Ltd
    0946 AMC International Alfa Metalcraft Corporation AG
    0947 First Light Technologies Ltd.
    0948 Wearable Link Limited
    0949 Metronom Health Europe
    094A Zwift, Inc.
    094B Kindeva Drug Delivery L.P.
    094C GimmiSys GmbH
    094D tkLABS INC.
    094E PassiveBolt, Inc.
    094F Limited Liability Company "Mikrotikls"
    0950 Capetech
    0951 PPRS
    0952 Apptricity Corporation
    0953 LogiLube, LLC
    0954 Julbo
    0955 Breville Group
    0956 Kerlink
    0957 Ohsung Electronics
    0958 ZTE Corporation
    0959 HerdDogg, Inc
    095B Lismore Instruments Limited
    095C LogiLube, LLC
    095D Electronic Theatre Controls
    095E BioEchoNet inc.
    095F NUANCE HEARING LTD
    0960 Sena Technologies Inc.
    0961 Linkura AB
    0962 GL Solutions K.K.
    0963 Moonbird BV
    0964 Countrymate Technology Limited
    0965 Asahi Kasei Corporation
    0966 PointGuard, LLC
    0967 Neo Materials and Consulting Inc.
    0968 Actev Motors, Inc.
    0969 Woan Technology (Shenzhen) Co., Ltd.
    096A dricos, Inc.
    096B Guide ID B.V.
    096C 9374-7319 Quebec inc
    096D Gunwerks, LLC
    096E Band Industries, inc.
    096F Lund Motion Products, Inc.
    0970 IBA Dosimetry GmbH
    0971 GA
    0972 Closed Joint Stock Company "Zavod Flometr" ("Zavod Flometr" CJSC)
    0973 Popit Oy
    0974 ABEYE
    0975 BlueIOT(Beijing) Technology Co.,Ltd
    0976 Fauna Audio GmbH
    0977 TOYOTA motor corporation
    0978 ZifferEins GmbH & Co. KG
    0979 BIOTRONIK SE & Co. KG
    097A CORE CORPORATION
    097B CTEK Sweden AB
    097C Thorley Industries, LLC
    097D CLB B.V.
    097E SonicSensory Inc
    097F ISEMAR S.R.L.
    0980 DEKRA TESTING AND CERTIFICATION, S.A.U.
    0981 Bernard Krone Holding SE & Co.KG
    0982 ELPRO-BUCHS AG
    0983 Feedback Sports LLC
    0984 TeraTron GmbH
    0985 Lumos Health Inc.
    0986 Cello Hill, LLC
    0987 TSE BRAKES, INC.
    0988 BHM-Tech Produktionsgesellschaft m.b.H
    0989 WIKA Alexander Wiegand SE & Co.KG
    098A Biovigil
    098B Mequonic Engineering, S.L.
    098C bGrid B.V.
    098E ADVEEZ
    098F Aktiebolaget Regin
    0990 Anton Paar GmbH
    0991 Telenor ASA
    0992 Big Kaiser Precision Tooling Ltd
    0993 Absolute Audio Labs B.V.
    0994 VT42 Pty Ltd
    0995 Bronkhorst High-Tech B.V.
    0996 C. & E. Fein GmbH
    0997 NextMind
    0998 Pixie Dust Technologies, Inc.
    0999 eTactica ehf
    099A New Audio LLC
    099B Sendum Wireless Corporation
    099C deister electronic GmbH
    099D YKK AP Inc.
    099E Step One Limited
    099F Koya Medical, Inc.
    09A0 Proof Diagnostics, Inc.
    09A1 VOS Systems, LLC
    09A2 ENGAGENOW DATA SCIENCES PRIVATE LIMITED
    09A3 ARDUINO SA
    09A4 KUMHO ELECTRICS, INC
    09A5 Security Enhancement Systems, LLC
    09A6 BEIJING ELECTRIC VEHICLE CO.,LTD
    09A7 Paybuddy ApS
    09A8 KHN Solutions LLC
    09A9 Nippon Ceramic Co.,Ltd.
    09AA PHOTODYNAMIC INCORPORATED
    09AB DashLogic, Inc.
    09AC Ambiq
    09AD Narhwall Inc.
    09AE Pozyx NV
    09AF ifLink Open Community
    09B0 Deublin Company, LLC
    09B1 BLINQY
    09B2 DYPHI
    09B3 BlueX Microelectronics Corp Ltd.
    09B4 PentaLock Aps.
    09B5 AUTEC Gesellschaft fuer Automationstechnik mbH
    09B6 Pegasus Technologies, Inc.
    09B7 Bout Labs, LLC
    09B8 PlayerData Limited
    09B9 SAVOY ELECTRONIC LIGHTING
    09BA Elimo Engineering Ltd
    09BB SkyStream Corporation
    09BC Aerosens LLC
    09BD Centre Suisse d'Electronique et de Microtechnique SA
    09BE Vessel Ltd.
    09BF Span.IO, Inc.
    09C0 AnotherBrain inc.
    09C1 Rosewill
    09C2 Universal Audio, Inc.
    09C3 JAPAN TOBACCO INC.
    09C4 UVISIO
    09C5 HungYi Microelectronics Co.,Ltd.
    09C6 Honor Device Co., Ltd.
    09C7 Combustion, LLC
    09C8 XUNTONG
    09C9 CrowdGlow Ltd
    09CA Mobitrace
    09CB Hx Engineering, LLC
    09CC Senso4s d.o.o.
    09CE Julius Blum GmbH
    09CF BlueStreak IoT, LLC
    09D0 Chess Wise B.V.
    09D1 ABLEPAY TECHNOLOGIES AS
    09D2 Temperature Sensitive Solutions Systems Sweden AB
    09D4 ORBIS Inc.
    09D5 GEAR RADIO ELECTRONICS CORP.
    09D6 EAR TEKNIK ISITME VE ODIOMETRI CIHAZLARI SANAYI VE TICARET ANONIM SIRKETI
    09D7 Coyotta
    09D8 Synergy Tecnologia em Sistemas Ltda
    09D9 VivoSensMedical GmbH
    09DA Nagravision SA
    09DB Bionic Avionics Inc.
    09DC AON2 Ltd.
    09DD Innoware Development AB
    09DE JLD Technology Solutions, LLC
    09DF Magnus Technology Sdn Bhd
    09E1 Tag-N-Trac Inc
    09E2 Wuhan Linptech Co.,Ltd.
    09E3 Friday Home Aps
    09E4 CPS AS
    09E5 Mobilogix
    09E6 Masonite Corporation
    09E7 Kabushikigaisha HANERON
    09E8 Melange Systems Pvt. Ltd.
    09E9 LumenRadio AB
    09EA Athlos Oy
    09EB KEAN ELECTRONICS PTY LTD
    09EC Yukon advanced optics worldwide, UAB
    09ED Sibel Inc.
    09EE OJMAR SA
    09EF Steinel Solutions AG
    09F0 WatchGas B.V.
    09F1 OM Digital Solutions Corporation
    09F2 Audeara Pty Ltd
    09F3 Beijing Zero Zero Infinity Technology Co.,Ltd.
    09F4 Spectrum Technologies, Inc.
    09F5 OKI Electric Industry Co., Ltd
    09F6 Mobile Action Technology Inc.
    09F7 SENSATEC Co., Ltd.
    09F8 R.O. S.R.L.
    09F9 Hangzhou Yaguan Technology Co. LTD
    09FA Listen Technologies Corporation
    09FB TOITU CO., LTD.
    09FC Confidex
    09FD Keep Technologies, Inc.
    09FE Lichtvision Engineering GmbH
    09FF AIRSTAR
    """
  )
}
