/** The `tel:` address for a phone number as people write it. */
export const telLink = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;
