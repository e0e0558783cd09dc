/** Text, at sign, text, dot, text, no spaces (spec 5). Each sign is tried in one way alone (faults 119). */
const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

export const isEmail = (text: string): boolean => EMAIL.test(text.trim());
