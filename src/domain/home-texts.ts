import { deliveryTexts } from './delivery-texts.ts';
import { fillPlaceholders, placeholderValues } from './policy.ts';
import type { StoreRecord } from './store-fields.ts';

export function homeTexts(store: StoreRecord): Pick<StoreRecord, 'hero' | 'trust'> {
  const values = placeholderValues(store);
  const filled = (text: string): string => fillPlaceholders(text, values, String);
  return {
    hero: { ...store.hero, title: filled(store.hero.title), text: filled(store.hero.text) },
    trust: store.trust.map(({ title, text }) => ({ title: filled(title), text: filled(text) })),
  };
}

interface TrustTile {
  /** A Lucide icon. */
  readonly icon: string;
  readonly title: string;
  readonly text: string;
}

/** The tiles below the hero: the record's own, or defaults that follow from the record. */
export function trustTiles(store: StoreRecord): readonly TrustTile[] {
  if (store.trust.length > 0) return store.trust.map((tile) => ({ icon: 'badge-check', ...tile }));
  const { title, text } = deliveryTexts(store.delivery);
  return [
    { icon: 'truck', title, text },
    ...(store.returnDays
      ? [{ icon: 'rotate-ccw', title: `${store.returnDays}-day`, text: 'returns window' }]
      : []),
    { icon: 'package-search', title: 'Track', text: 'without signing in' },
    { icon: 'headset', title: 'Support', text: store.supportHours },
  ];
}
