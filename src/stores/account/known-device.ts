import { readStored, writeStored } from '#stores/shell/storage.ts';

/** By which the API knows this device. Signing out keeps it. */
const DEVICE_KEY = 'known-device';

export const knownDevice = (): string | undefined => readStored(DEVICE_KEY) ?? undefined;

export function rememberDevice(device: string | undefined): void {
  if (device !== undefined) writeStored(DEVICE_KEY, device);
}
