import { describe, expect, it } from 'vitest';
import { fillPlaceholders, isPolicySlug, POLICIES } from '#domain/policy.ts';

const values = { companyName: 'Fruit & Co', companyEmail: 'care@example.in' };

it('[spec 2.routes.7] [spec 2.footer.1] has the policies of the specification', () => {
  expect(POLICIES).toMatchObject({
    terms: 'Terms & Conditions',
    privacy: 'Privacy Policy',
    refund: 'Refund and Cancellation Policy',
    return: 'Return Policy',
    shipping: 'Shipping Policy',
    about: 'About Us',
  });
});

describe('policy placeholders', () => {
  it.each([
    ...['{{companyName}}', '{{ companyName }}', '{companyName}', '[companyName]', '%companyName%'],
    `\${companyName}`,
    '{{company_name}}',
    '{{COMPANY_NAME}}',
    '[COMPANY_NAME]',
  ])('[spec 2.policies.5] %s is filled with the escaped value', (placeholder) => {
    expect(fillPlaceholders(`<p>${placeholder}</p>`, values)).toBe('<p>Fruit &#38; Co</p>');
  });

  it('does not change other brackets', () => {
    const html = '<p>[sic] {x} 100% of {{unknown}}</p>';
    expect(fillPlaceholders(html, values)).toBe(html);
  });

  it('does not fill a placeholder within a value', () => {
    expect(fillPlaceholders('{{companyName}}', { companyName: '{{companyEmail}}', companyEmail: 'x' })).toBe(
      '{{companyEmail}}',
    );
  });

  it.each(['login', '../x', '__proto__', 'constructor', ''])('%j is not a policy', (slug) => {
    expect(isPolicySlug(slug)).toBe(false);
  });
});
