const MONTHS: Readonly<Record<string, string>> = {
  January: 'जनवरी',
  February: 'फ़रवरी',
  March: 'मार्च',
  April: 'अप्रैल',
  May: 'मई',
  June: 'जून',
  July: 'जुलाई',
  August: 'अगस्त',
  September: 'सितंबर',
  October: 'अक्टूबर',
  November: 'नवंबर',
  December: 'दिसंबर',
};

/** The hour at which each part of the day begins. */
const PARTS_OF_DAY = [
  [20, 'रात'],
  [16, 'शाम'],
  [12, 'दोपहर'],
  [4, 'सुबह'],
  [0, 'रात'],
] as const;

const DAY_FIRST = /^(\d{1,2}) ([A-Z][a-z]{2,8}) (\d{4})(?: at (\d{1,2}):(\d\d) ?([ap])m)?$/;
const MONTH_FIRST = /^([A-Z][a-z]{2,8}) (\d{1,2}), (\d{4})$/;

function timeOf(hours: string, minutes: string, half: string): string {
  const hour = (Number(hours) % 12) + (half === 'p' ? 12 : 0);
  const part = PARTS_OF_DAY.find(([from]) => hour >= from)?.[1] ?? '';
  return `${part} ${hours}:${minutes} बजे`;
}

/** Translates months, and the formats of domain/date.ts: '12 November 2026', '5 April 2025 at 3:30 pm', 'April 05, 2025'. */
export function hindiDate(text: string): string | undefined {
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst) {
    const [, name = '', day = '', year = ''] = monthFirst;
    return MONTHS[name] && `${day} ${MONTHS[name]} ${year}`;
  }
  const [, day, name = '', year, hours, minutes, half] = DAY_FIRST.exec(text) ?? [];
  const month = MONTHS[name];
  if (!month) return MONTHS[text];
  const date = `${day} ${month} ${year}`;
  return hours && minutes && half ? `${date}, ${timeOf(hours, minutes, half)}` : date;
}
