/** The languages in which the shop writes to its customers. */
export const LANGUAGES = ['en', 'hi'] as const;

export type Language = (typeof LANGUAGES)[number];

/** English for whoever has chosen nothing. */
export const languageOf = (chosen: string | null | undefined): Language => (chosen === 'hi' ? 'hi' : 'en');
