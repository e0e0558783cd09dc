/** Whether fingers are what this device is used with: a phone or a tablet, where a payment app may be. */
export const isHandheld = (): boolean => matchMedia('(pointer: coarse)').matches;
