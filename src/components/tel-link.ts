/** A phone number as people write it, as a link's address. */
export const telLink = (phone: string): string => `tel:${phone.replace(/[^\d+]/g, '')}`;
