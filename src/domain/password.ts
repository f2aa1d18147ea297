/** Which passwords are accepted: long ones that are not among the most common. There are no rules of composition. */
import type { PersonRefusalCode } from './people.ts'

export const PASSWORD_MIN = 12
/** Longer than any password that is typed: it only bounds the work. */
const PASSWORD_MAX = 256

export function passwordFault(password: string): PersonRefusalCode | null {
  const length = [...password].length
  if (length < PASSWORD_MIN) return 'password_too_short'
  if (length > PASSWORD_MAX) return 'password_too_long'
  return COMMON_PASSWORDS.has(password.toLowerCase()) ? 'password_too_common' : null
}

/** The most common passwords that are long enough to be accepted otherwise, in lower case. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  `
  000000000000 0000000000000 0123456789012 0987654321098 101010101010 111111111111 1111111111111 111122223333
  111222333444 112233445566 121212121212 123123123123 123321123321 123412341234 123451234512345 1234567890-=
  123456123456 123456654321 1234567654321 123456789000 123456789010 123456789012 1234567890123 12345678901234
  123456789012345 1234567890123456 12345678901234567890 1234567891011 123456789123 123456789101112
  123456789987654321 123456789abc 123456789qwerty 1234567890qwerty 1234qwerasdfzxcv 1234qwertyuiop
  12qwaszx12qwaszx 131313131313 147258369147 147258369000 159357159357 159753159753 1a2b3c4d5e6f 1q2w3e4r5t6y
  1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p 1qaz1qaz1qaz 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1qazxsw23edcvfr4
  222222222222 246813579246 314159265358 321321321321 333333333333 369258147369 444444444444 555555555555
  654321654321 666666666666 741852963741 753951753951 777777777777 789456123000 789456123789 888888888888
  987654321012 987654321123 987654321987 9876543210123 999999999999 aaaaaaaaaaaa abc123456789 abc123abc123
  abcabcabcabc abcd12345678 abcdabcdabcd abcdef123456 abcdefg12345 abcdefgh1234 abcdefghijkl abcdefghijklm
  abcdefghijklmnop abcdefghijklmnopqrstuvwxyz access123456 admin1234567 admin123456789 admin12345678 adminadmin123
  adminadminadmin administrator administrator1 administrator123 alexander123 america12345 arsenal12345 asdasdasdasd
  asdf12345678 asdfasdfasdf asdfghjkl123 asdfghjkl1234 asdfghjklasdfghjkl asdfghjklqwertyuiop asdfjkl;asdfjkl;
  azertyuiop123 azertyuiopqsdfghjklm babygirl1234 barcelona123 baseball1234 basketball12 basketball123 bismillah123
  blessing1234 breakwater12 breakwater123 breakwater1234 businessman1 butterfly123 changeme1234 changeme12345
  changemechangeme changemenow1 chelsea12345 chocolate123 christopher1 computer1234 correcthorsebatterystaple
  cristianoronaldo daniel123456 dragon123456 elizabeth123 everything12 facebook1234 family123456 firstbank123
  football1234 football12345 forever12345 freedom12345 friendship12 gbenga123456 gmail1234567 godisgood123
  godisgreat12 godislove123 godisgood1234 godwin123456 goodluck1234 goodmorning1 google123456 hello1234567
  hellohello12 hellohellohello helloworld12 helloworld123 iloveyou1234 iloveyou12345 iloveyouforever iloveyousomuch
  internet1234 ilovemyfamily ilovejesus12 ilovejesus123 jesus1234567 jesuschrist1 jesuschrist123 jesusislord1
  jesusislord12 jesusislord123 jesuslovesme jesussaves12 justinbieber jordan123456 keepitsecret
  kingofkings1 lagosnigeria letmein12345 letmein123456 letmeinletmein liverpool123 liverpool1234 liverpoolfc1
  loveme123456 loverboy1234 lovelove1234 lovelovelove manchester12 manchester123 manchesterunited manutd123456
  master123456 metallica123 michael12345 michaeljackson michelle1234 monkey123456 mypassword12 mypassword123
  mypassword1234 mysecretpassword nicholas1234 nigeria12345 nigeria123456 nothing12345 onetwothree123 p@$$w0rd1234
  p@ssw0rd1234 p@ssw0rd12345 p@ssw0rd123! p@ssw0rdp@ssw0rd p@ssword1234 pa$$w0rd1234 pa55w0rd1234 pass12345678
  pass1234pass1234 passpasspass passw0rd1234 passw0rd12345 passw0rd123! passw0rdpassw0rd password0000 password0123
  password1111 password123! password123!@# password123. password1234 password1234! password12345 password12345!
  password123456 password1234567 password12345678 password123456789 password1234567890 password123password
  password2020 password2021 password2022 password2023 password2024 password2025 password2026 password2027
  password@123 password@1234 password!123 password#123 passwordpassword passwordword patience1234 playstation1
  playstation3 pokemon12345 princess1234 princess12345 q1w2e3r4t5y6 q1w2e3r4t5y6u7i8 qazwsx123456 qazwsxedc123
  qazwsxedcrfv qazwsxedcrfvtgb qazxswedcvfr qqqqqqqqqqqq qwe123qwe123 qweasdzxc123 qweqweqweqwe qwer12345678
  qwerasdfzxcv qwerqwerqwer qwerty123456 qwerty12345678 qwerty123456789 qwerty1234567890 qwertyqwerty qwertyuiop12
  qwertyuiop123 qwertyuiop1234 qwertyuiop123456 qwertyuiop123456789 qwertyuiop[] qwertyuiopasdf qwertyuiopasdfgh
  qwertyuiopasdfghjkl qwertyuiopasdfghjklzxcvbnm qwertzuiop123 realmadrid12 realmadrid123 samsung12345 secret123456
  secretsecret shadow123456 snoopy123456 spiderman123 starwars1234 startrek1234 success12345 sunshine1234
  sunshine12345 superman1234 superman12345 supersecret1 test12345678 test1234test testing12345 testpassword
  testtesttest thankgod1234 thisismypassword thisisapassword trustno1trustno1 trustingod12 tottenham123
  unitedstates victory12345 welcome12345 welcome123456 welcome1234! welcome123!! welcome2023! welcome2024!
  welcome2025! welcome2026! welcomeback1 whateverwhatever winner123456 wonderful123 wwwwwwwwwwww xxxxxxxxxxxx
  zaq12wsxcde3 zaq1zaq1zaq1 zaq1xsw2cde3 zaq12wsx12345 zenithbank12 zxcvbnm12345 zxcvbnm123456 zxcvbnm123456789
  zxcvbnmzxcvbnm zzzzzzzzzzzz
  `
    .trim()
    .split(/\s+/),
)
