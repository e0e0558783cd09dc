/** The languages of emails to customers. */
export const LANGUAGES = ['en', 'hi'] as const;

export type Language = (typeof LANGUAGES)[number];

export const languageOf = (chosen: string | null | undefined): Language => (chosen === 'hi' ? 'hi' : 'en');
