/** All navigation of the stores goes through this module, so that tests can replace it in one place. */

export const goTo = (path: string): void => location.assign(path);

export const replaceWith = (path: string): void => location.replace(path);

export const reload = (): void => location.reload();

/** `checkedUrl` must have passed `domain/payment-target.ts`. */
export const leaveFor: (checkedUrl: string) => void = goTo;
