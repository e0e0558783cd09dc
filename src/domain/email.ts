/** Text, at sign, text, dot, text, no spaces (spec 5). */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const isEmail = (text: string): boolean => EMAIL.test(text.trim());
