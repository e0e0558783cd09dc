/** The screens that show the hero's part for phones, and its size. */
export const HERO_PHONE = { media: '(width < 768px)', sizes: '100vw', width: 1011, height: 900 };
export const HERO_SIZES = '(min-width: 1320px) 1320px, 100vw';
