import * as v from 'valibot';
import { isPrice } from '#domain/money.ts';
import type { LeafField } from '#domain/store-fields.ts';
import { safeImage } from '#domain/url.ts';
import { filled, listOf, text } from './lenient.ts';

const PlaceChargeSchema = v.object({ digits: filled(6), charge: v.custom<number>(isPrice) });

/** Reads each kind of value leniently: an invalid one counts as missing. */
export function readValue(field: LeafField, value: unknown): unknown {
  switch (field.kind) {
    case 'text':
      return v.parse(text(field.max), value);
    case 'picture':
      return safeImage(value);
    case 'money':
      return isPrice(value) ? value : null;
    case 'whole':
      return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= field.max ? value : null;
    case 'digits':
      return v.parse(listOf(filled(6), field.max), value);
    case 'charges':
      return v.parse(listOf(PlaceChargeSchema, field.max), value);
  }
}
