import { hindiDate } from '#domain/hindi-date.ts';

/** The sentences of RULES and the texts of availability.ts. Only src/i18n and the server import them. */
export const BUYING: Readonly<Record<string, string>> = {
  '“{name}” is no longer sold.': '“{name}” अब नहीं बिकता।',
  '“{name}” has no price at the moment.': '“{name}” की कीमत अभी उपलब्ध नहीं है।',
  '“{name}” is not sold as {words}. Please choose it again.':
    '“{name}” {words} में नहीं बिकता। कृपया इसे दोबारा चुनें।',
  '“{name}” is sold out. It is back on {day}.': '“{name}” ख़त्म हो गया है। यह {day} को फिर मिलेगा।',
  '“{name}” is sold out.': '“{name}” ख़त्म हो गया है।',
  '“{name}”: only {count} left.': '“{name}”: सिर्फ़ {count} बचे हैं।',
  '“{name}”: fewer are left than you want. Please take fewer.':
    '“{name}”: जितने आप चाहते हैं, उतने नहीं बचे हैं। कृपया कम लें।',
  '“{name}”: at most {count} in one order.': '“{name}”: एक ऑर्डर में ज़्यादा से ज़्यादा {count}।',
  '“{name}”: at least {count} in one order.': '“{name}”: एक ऑर्डर में कम से कम {count}।',
  'We take no orders until {last}. You can order again from {day}.':
    'हम {last} तक ऑर्डर नहीं ले रहे हैं। आप {day} से फिर ऑर्डर कर सकते हैं।',
  'Orders begin at {rupees}, without delivery. {missing} is missing.':
    'ऑर्डर कम से कम {rupees} का होना चाहिए, डिलीवरी के बिना। {missing} और चाहिए।',
  'We do not deliver to {words}. We deliver to PIN codes that begin with {list}.':
    'हम {words} पर डिलीवरी नहीं करते। हम इन अंकों से शुरू होने वाले PIN कोड पर डिलीवरी करते हैं: {list}।',
  'There is no way to pay at {words}: we do not collect cash there.':
    '{words} पर पेमेंट का कोई तरीका नहीं है: वहाँ हम नकद नहीं लेते।',
  'There is no way to pay for this order: you can pay up to {rupees} in cash.':
    'इस ऑर्डर के पेमेंट का कोई तरीका नहीं है: नकद में {rupees} तक दे सकते हैं।',
  'Sold out': 'ख़त्म हो गया',
  'Sold out, back in {month}': 'ख़त्म हो गया, {month} में फिर मिलेगा',
  'Sold out, back on {day}': 'ख़त्म हो गया, {day} को फिर मिलेगा',
  'Only {count} left': 'सिर्फ़ {count} बचे हैं',
};

/** Translates a text of RULES, or a day in it; other texts stay as they are. */
export const toHindi = (english: string): string => BUYING[english] ?? hindiDate(english) ?? english;
