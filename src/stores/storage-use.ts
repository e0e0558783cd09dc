const TRIAL = 'trial';

/** One that is full of older values still holds them: it is in use. */
const isUsable = (area: 'localStorage' | 'sessionStorage'): boolean => {
  try {
    const storage = globalThis[area];
    if (storage.length > 0) return true;
    storage.setItem(TRIAL, '');
    storage.removeItem(TRIAL);
    return true;
  } catch {
    return false;
  }
};

/** Whether both storages of the browser are out of use. */
export const needsDeepStorage = (): boolean => !isUsable('localStorage') && !isUsable('sessionStorage');
