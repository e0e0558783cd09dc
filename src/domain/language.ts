/** The languages in which the API writes to customers: emails, refusals of orders and the payment form. */
export const LANGUAGES = ['en', 'hi'] as const;

export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { en: 'English', hi: 'Hindi' };

/** English for any other. */
export const languageOf = (chosen: string | null | undefined): Language =>
  LANGUAGES.find((language) => language === chosen) ?? 'en';
