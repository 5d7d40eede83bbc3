extension AssignedNames {
  /// Companies (Assigned Numbers, 7.1): the first ones, then those whose devices people meet most.
  static let companies = AssignedNameTable(
    """
    0000 Ericsson AB
    0001 Nokia Mobile Phones
    0002 Intel Corp.
    0003 IBM Corp.
    0004 Toshiba Corp.
    0005 3Com
    0006 Microsoft
    0007 Lucent
    0008 Motorola
    0009 Infineon Technologies AG
    000A Qualcomm Technologies International, Ltd. (QTIL)
    000B Silicon Wave
    000C Digianswer A/S
    000D Texas Instruments Inc.
    000E Parthus Technologies Inc.
    000F Broadcom Corporation
    0010 Mitel Semiconductor
    0011 Widcomm, Inc.
    0012 Zeevo, Inc.
    0013 Atmel Corporation
    0014 Mitsubishi Electric Corporation
    0015 RTX A/S
    0016 KC Technology Inc.
    0017 Newlogic
    0018 Transilica, Inc.
    0019 Rohde & Schwarz GmbH & Co. KG
    001A TTPCom Limited
    001B Signia Technologies, Inc.
    001C Conexant Systems Inc.
    001D Qualcomm
    001E Inventel
    001F AVM Berlin
    0020 BandSpeed, Inc.
    0021 Mansella Ltd
    0022 NEC Corporation
    0023 WavePlus Technology Co., Ltd.
    0024 Alcatel
    0025 NXP B.V.
    0026 C Technologies
    0027 Open Interface
    0028 R F Micro Devices
    0029 Hitachi Ltd
    002A Symbol Technologies, Inc.
    002B Tenovis
    002C Macronix International Co. Ltd.
    002D GCT Semiconductor
    002E Norwood Systems
    002F MewTel Technology Inc.
    0030 ST Microelectronics
    0031 Synopsys, Inc.
    0032 Red-M (Communications) Ltd
    0033 Commil Ltd
    0034 Computer Access Technology Corporation (CATC)
    0035 Eclipse (HQ Espana) S.L.
    0036 Renesas Electronics Corporation
    0037 Mobilian Corporation
    0038 Syntronix Corporation
    0039 Integrated System Solution Corp.
    003A Panasonic Holdings Corporation
    003B Gennum Corporation
    003C BlackBerry Limited
    003D IPextreme, Inc.
    003E Systems and Chips, Inc
    003F Bluetooth SIG, Inc
    0040 Seiko Epson Corporation
    0041 Integrated Silicon Solution Taiwan, Inc.
    0042 CONWISE Technology Corporation Ltd
    0043 PARROT AUTOMOTIVE SAS
    0044 Socket Mobile
    0045 Atheros Communications, Inc.
    0046 MediaTek, Inc.
    0047 Bluegiga
    0048 Marvell Technology Group Ltd.
    0049 3DSP Corporation
    004A Accel Semiconductor Ltd.
    004B Continental Automotive Systems
    004C Apple, Inc.
    004D Staccato Communications, Inc.
    004E Avago Technologies
    004F APT Ltd.
    0050 SiRF Technology, Inc.
    0051 Tzero Technologies, Inc.
    0052 J&M Corporation
    0053 Free2move AB
    0054 3DiJoy Corporation
    0055 Plantronics, Inc.
    0056 Sony Ericsson Mobile Communications
    0057 Harman International Industries, Inc.
    0058 Vizio, Inc.
    0059 Nordic Semiconductor ASA
    005A EM Microelectronic-Marin SA
    005B Ralink Technology Corporation
    005C Belkin International, Inc.
    005D Realtek Semiconductor Corporation
    005E Stonestreet One, LLC
    005F Wicentric, Inc.
    0060 RivieraWaves S.A.S
    0061 RDA Microelectronics
    0062 Gibson Guitars
    0063 MiCommand Inc.
    0064 Band XI International, LLC
    0065 HP, Inc.
    0067 GN Hearing
    0068 General Motors
    0069 A&D Engineering, Inc.
    006A LTIMINDTREE LIMITED
    006B Polar Electro OY
    006C Beautiful Enterprise Co., Ltd.
    006E Summit Data Communications, Inc.
    006F Sound ID
    0070 Monster, LLC
    0071 connectBlue AB
    0072 ShangHai Super Smart Electronics Co. Ltd.
    0073 Group Sense Ltd.
    0074 Zomm, LLC
    0075 Samsung Electronics Co. Ltd.
    0076 Creative Technology Ltd.
    0077 Laird Connectivity LLC
    0078 Nike, Inc.
    0079 lesswire AG
    007A MStar Semiconductor, Inc.
    007B Hanlynn Technologies
    007D Seers Technology Co., Ltd.
    007E Sports Tracking Technologies Ltd.
    007F Autonet Mobile
    0080 DeLorme Publishing Company, Inc.
    0081 WuXi Vimicro
    0082 DSEA A/S
    0083 TimeKeeping Systems, Inc.
    0084 Ludus Helsinki Ltd.
    0085 BlueRadios, Inc.
    0086 Equinux AG
    0087 Garmin International, Inc.
    0088 Ecotest
    0089 GN Hearing A/S
    008A Jawbone
    008B Topcon Positioning Systems, LLC
    008C Gimbal Inc.
    008D Zscan Software
    008E Quintic Corp
    008F Telit Wireless Solutions GmbH
    0090 Funai Electric Co., Ltd.
    0091 Advanced PANMOBIL systems GmbH & Co. KG
    0092 ThinkOptics, Inc.
    0093 Universal Electronics, Inc.
    0094 Airoha Technology Corp.
    0095 NEC Lighting, Ltd.
    0096 ODM Technology, Inc.
    0097 ConnecteDevice Ltd.
    0098 zero1.tv GmbH
    0099 i.Tech Dynamic Global Distribution Ltd.
    009A Alpwise
    009B Jiangsu Toppower Automotive Electronics Co., Ltd.
    009C Colorfy, Inc.
    009D Geoforce Inc.
    009E Bose Corporation
    009F Suunto Oy
    00A0 Kensington Computer Products Group
    00A1 SR-Medizinelektronik
    00A2 Vertu Corporation Limited
    00A3 Meta Watch Ltd.
    00A4 LINAK A/S
    00A5 OTL Dynamics LLC
    00A6 Panda Ocean Inc.
    00A7 Visteon Corporation
    00A8 ARP Devices Limited
    00A9 MARELLI EUROPE S.P.A.
    00AA CAEN RFID srl
    00AB Ingenieur-Systemgruppe Zahn GmbH
    00AC Green Throttle Games
    00AD Peter Systemtechnik GmbH
    00AE Omegawave Oy
    00AF Cinetix
    00B0 Passif Semiconductor Corp
    00B1 Saris Cycling Group, Inc
    00B2 Bekey A/S
    00B3 Clarinox Technologies Pty. Ltd.
    00B4 BDE Technology Co., Ltd.
    00B5 Swirl Networks
    00B6 Meso international
    00B7 TreLab Ltd
    00B8 Qualcomm Innovation Center, Inc. (QuIC)
    00B9 Johnson Controls, Inc.
    00BA Starkey Hearing Technologies
    00BB S-Power Electronics Limited
    00BC Ace Sensor Inc
    00BD Aplix Corporation
    00BE AAMP of America
    00BF Stalmart Technology Limited
    00C0 AMICCOM Electronics Corporation
    00C1 Shenzhen Excelsecu Data Technology Co.,Ltd
    00C2 Geneq Inc.
    00C3 adidas AG
    00C4 LG Electronics
    00C5 Onset Computer Corporation
    00C6 Selfly BV
    00C7 Quuppa Oy.
    00C8 GeLo Inc
    00C9 Evluma
    00CA MC10
    00CB Binauric SE
    00CC Beats Electronics
    00CD Microchip Technology Inc.
    00CE Eve Systems GmbH
    00CF ARCHOS SA
    00D0 Dexcom, Inc.
    00D1 Polar Electro Europe B.V.
    00D2 Renesas Design Netherlands B.V.
    00D3 Taixingbang Technology (HK) Co,. LTD.
    00D5 Austco Communication Systems
    00D6 Timex Group USA, Inc.
    00D7 Qualcomm Technologies, Inc.
    00D8 Qualcomm Connected Experiences, Inc.
    00D9 Voyetra Turtle Beach
    00DA txtr GmbH
    00DB Snuza (Pty) Ltd
    00DC Procter & Gamble
    00DD Hosiden Corporation
    00DE Muzik LLC
    00DF Misfit Wearables Corp
    00E0 Google
    00E1 Danlers Ltd
    00E2 Semilink Inc
    00E3 inMusic Brands, Inc
    00E4 L.S. Research, Inc.
    00E5 Eden Software Consultants Ltd.
    00E7 KS Technologies
    00E8 ACTS Technologies
    00E9 Vtrack Systems
    00EA Nielsen-Kellerman
    00EB Server Technology Inc.
    00EC BioResearch Associates
    00ED Jolly Logic, LLC
    00EE Above Average Outcomes, Inc.
    00EF Bitsplitters GmbH
    00F0 PayPal, Inc.
    00F1 Witron Technology Limited
    00F2 Morse Project Inc.
    00F3 Kent Displays Inc.
    00F4 Nautilus Inc.
    00F5 Smartifier Oy
    00F6 Elcometer Limited
    00F7 VSN Technologies, Inc.
    00F8 AceUni Corp., Ltd.
    00FA Crystal Alarm AB
    00FB KOUKAAM a.s.
    00FC Delphi Corporation
    00FD ValenceTech Limited
    00FE Stanley Black and Decker
    00FF Typo Products, LLC
    0103 Bang & Olufsen A/S
    010E Audi AG
    011A Qualcomm Labs, Inc.
    011B Hewlett Packard Enterprise
    011F Volkswagen AG
    0120 Porsche AG
    012D Sony Corporation
    012E ASSA ABLOY
    0131 Cypress Semiconductor
    013C Murata Manufacturing Co., Ltd.
    0154 Pebble Technology
    0157 Anhui Huami Information Technology Co., Ltd.
    015D Estimote, Inc.
    0170 Roche Diabetes Care AG
    0171 Amazon.com Services LLC
    0178 CASIO COMPUTER CO., LTD.
    017C Mercedes-Benz Group AG
    018E Google LLC
    01A9 Canon Inc.
    01AB Meta Platforms, Inc.
    01B5 Nest Labs Inc.
    01CF BSH
    01D1 August Home, Inc
    01DA Logitech International SA
    01F1 Zebra Technologies Corporation
    01F9 Medtronic Inc.
    01FC Wahoo Fitness, LLC
    01FD Kontakt Micro-Location Sp. z o.o.
    020E Omron Healthcare Co., LTD
    0211 Telink Semiconductor Co. Ltd
    022B Tesla, Inc.
    022E Siemens AG
    0243 Masimo Corp
    024F Schneider Schreibgeräte GmbH
    027D HUAWEI Technologies Co., Ltd.
    02A6 Robert Bosch GmbH
    02B2 Oura Health Oy
    02B6 Schneider Electric
    02C5 Lenovo (Singapore) Pte Ltd.
    02D5 OMRON Corporation
    02DE Samsung SDS Co., Ltd.
    02E1 Victron Energy BV
    02E5 Espressif Systems (Shanghai) Co., Ltd.
    02EE Citizen Holdings Co., Ltd.
    02F2 GoPro, Inc.
    0304 Oura Health Ltd
    0315 Thermo Fisher Scientific
    0360 Insulet Corporation
    0381 Sharp Corporation
    038F Xiaomi Inc.
    0397 LEGO System A/S
    0399 Nikon Corporation
    039A NeST
    03BB Abbott
    03E3 Qualcomm Life Inc
    03FF Withings
    041E Dell Computer Corporation
    044A SHIMANO INC.
    0494 SENNHEISER electronic GmbH & Co. KG
    0499 Ruuvi Innovations Ltd.
    04B7 Analog Devices, Inc.
    04D0 Olympus Corporation
    04D8 FUJIFILM Corporation
    04EC Motorola Solutions
    051A Leica Camera AG
    0526 Honeywell International Inc.
    0553 Nintendo Co., Ltd.
    055D Valve Corporation
    058E Meta Platforms Technologies, LLC
    059D Tandem Diabetes Care
    05A7 Sonos Inc
    05F1 The Linux Foundation
    060F Signify Netherlands B.V.
    0611 Beurer GmbH
    0639 Shenzhen Minew Technologies Co., Ltd.
    065F Ricoh Company Ltd
    0662 Particle Industries, Inc.
    067C Tile, Inc.
    06BD ABB Oy
    06D5 Sensirion AG
    0723 Ford Motor Company
    072F OnePlus Electronics (Shenzhen) Co., Ltd.
    075A HARMAN CO.,LTD.
    0768 Peloton Interactive Inc.
    079A GuangDong Oppo Mobile Telecommunications Corp., Ltd.
    07A2 Roku, Inc.
    07C9 Skullcandy, Inc.
    07DF Snap-on Incorporated
    0822 adafruit industries
    082E ABB S.p.A.
    0837 vivo Mobile Communication Co., Ltd.
    08AA SZ DJI TECHNOLOGY CO.,LTD
    08B7 ABB Inc
    08C3 CHIPOLO d.o.o.
    0915 Honda Motor Co., Ltd.
    0933 SRAM
    0965 Asahi Kasei Corporation
    0969 Woan Technology (Shenzhen) Co., Ltd.
    0977 TOYOTA motor corporation
    09A3 ARDUINO SA
    0A12 Dyson Technology Limited
    0A9D Canon Finetech Nisca Inc.
    0AD0 Nordic Strong ApS
    FFFF Internal use
    """
  )
}
