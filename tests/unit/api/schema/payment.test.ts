import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { PaymentFieldsReader, PaymentResponseReader } from '#api/schema/payment.ts';

describe('payment fields', () => {
  const field = { name: 'method', label: 'Method', type: 'text' };

  it.each([
    ['an array', [field]],
    ['an object with fields', { fields: [field] }],
    ['the same in data', { data: { fields: [field] } }],
  ])('[spec 7.payments.1] come as %s', (_, body) => {
    expect(v.parse(PaymentFieldsReader, body)).toMatchObject([{ name: 'method' }]);
  });

  it.each([[[]], [{ fields: [] }], [{}], [null], ['x']])(
    '[spec 7.payments.2] [fault 16] %j is an empty list',
    (body) => {
      expect(v.parse(PaymentFieldsReader, body)).toEqual([]);
    },
  );

  it('[fault 16] of more than 100 the first 100 count', () => {
    const many = Array.from({ length: 130 }, (_, index) => ({ ...field, name: `f${index}` }));
    expect(v.parse(PaymentFieldsReader, many).map(({ name }) => name)).toEqual(
      many.slice(0, 100).map(({ name }) => name),
    );
  });
});

describe('payment answers', () => {
  it('[spec 4.payment.4] all that a gateway is to get is a text, numbers and yes or no as well', () => {
    const data = { amount: 49_900, live: true, key: 'k', nested: {} };
    const { action } = v.parse(PaymentResponseReader, {
      success: true,
      action: { type: 'redirect_post', formParams: { type: 't', url: 'u', data } },
    });
    expect(Object.fromEntries(action?.formParams?.data ?? [])).toEqual({
      amount: '49900',
      live: 'true',
      key: 'k',
    });
  });

  it('[spec 3.payment.2] [spec 3.payment.3] success, error, redirectUrl and the action with all its parts', () => {
    const answer = {
      success: true,
      error: 'e',
      redirectUrl: 'https://a.in/',
      action: {
        type: 'qr',
        redirectUrl: 'https://b.in/',
        formParams: { type: 't', url: 'u', data: { k: 'v' } },
        qr: 'q',
        qrBase64: 'b',
      },
    };
    expect(v.parse(PaymentResponseReader, answer)).toEqual({
      ...answer,
      action: { ...answer.action, formParams: { type: 't', url: 'u', data: new Map([['k', 'v']]) } },
    });
  });
});
