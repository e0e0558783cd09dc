import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { JSDOM } from 'jsdom';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { CAPABILITY_NAMES } from '#domain/capabilities.ts';
import { build, readBuilt } from './support/run.ts';
import { productDto, startStubApi } from './support/stub-catalogue.ts';
import { endOfGroup, temporaryFolder } from './support/temporary-folder.ts';

const flat = (text: string): string => text.replace(/\s+/g, ' ').trim();

const texts = (root: Document, selector: string): string[] =>
  [...root.querySelectorAll(selector)].map(({ textContent }) => flat(textContent ?? ''));

const ODD = '"><img src=x onerror=pwned()></script></title></textarea><script>pwned()</script>';
const COMPANY = 'Company & Sons</script><script>pwned()</script>';
const ADDRESS = '12 <b>MG</b> Road, "Pune"';
const UNKNOWN_POLICY = 'The text of a policy that no page is for.';

const ODD_PRODUCT = {
  ...productDto(0),
  ...{ id: 'odd', title: ODD, description: ODD, category: ODD, parentCategory: ODD },
  imgUrl: 'javascript:pwned()',
  images: [],
  attributes: ['Size', 'Color', `pH ${ODD}`].map((key) => ({ key, values: [ODD], metricUnit: ODD })),
};

const manyOf = (words: string): string[] =>
  Array.from({ length: 5_000 }, (_, index) => `${index}${words.repeat(100)}`);

const WORDS = [' word', ' आम', '<&"', '🥭'];

const LARGE_PRODUCTS = WORDS.map((words, index) => ({
  ...productDto(index),
  title: words.repeat(20_000),
  category: words.repeat(20_000),
  description: words.repeat(200_000),
  attributes: manyOf(words).map((value, at) => ({
    key: ['size', 'colour', `${at}${words.repeat(50)}`][at % 3],
    values: [value],
  })),
}));

const OTHER_PRODUCTS = Array.from({ length: 400 }, (_, index) => ({
  ...productDto(index + WORDS.length),
  title: `${index} ${'आम '.repeat(200)}`,
  category: `${index} ${'फल '.repeat(200)}`,
  parentCategory: `${index} ${index % 2 ? 'फल' : 'fruit '.repeat(10)}`,
}));

const CATEGORIES = ['a&b/100% 🍊', `${'Ω'.repeat(300)}<script>pwned()</script>`];

const ODD_TEXTS = {
  companyName: COMPANY,
  companyAddress: ADDRESS,
  companyEmail: `care@shop.example${ODD}`,
  companyPhone: ODD,
  companyLogoUrl: 'data:text/html,<script>alert(1)</script>',
  description: ODD,
  categories: [...CATEGORIES, ...manyOf(' आम')],
  categoryImages: { 'a&b/100% 🍊': 'javascript:alert(1)' },
  policies: {
    terms: ODD,
    privacy: `${ODD}<p title="{{companyAddress}}">{{companyName}}</p>`,
    ...Object.fromEntries(
      ['login', 'index', 'not-a-policy', 'product/harmless', '../x', '__proto__', 'constructor'].map(
        (slug) => [slug, `<p>${UNKNOWN_POLICY}</p>`],
      ),
    ),
  },
};

/** Values of another shop, and the texts that would otherwise have the defaults. */
const VALUES = {
  siteUrl: 'https://ripe.example',
  supportHours: 'Tuesday to Sunday, 8AM - 4PM',
  grievanceOfficer: {
    name: 'Ravi Kale',
    designation: 'Nodal Officer',
    email: 'officer@ripe.example',
    phone: '+91 20 5555 0001',
    hours: 'Tuesday to Friday 09:00-12:00',
  },
  licences: { fssai: '11521999000123', gstin: '27AAPFU0939F1ZV' },
  delivery: { charge: 61.5, freeFrom: 733, days: '3-5', bulkDays: '20-25' },
  returnDays: 4,
  refundDays: 9,
  trust: [{ title: 'Picked today', text: 'delivered {{deliveryDays}}' }],
  newsletterUrl: 'https://news.example/join',
  whatsapp: '+91 98765 00042',
  social: [{ name: 'Instagram', url: 'https://instagram.example/ripe' }],
};

const HERO = {
  title: 'Mangoes,\nnow.',
  text: 'From the tree, {{deliveryTerms}}.',
  alt: 'A wall of "red" paint',
  focusX: 90,
  focusY: null,
};

const OLD = [
  /freshfruits\.example/,
  /10AM|Mon–Sat/,
  /Anjali Deshmukh|Grievance Officer:/,
  /10:00-17:00/,
  /[Ff]ree shipping on every|[Ss]hipping is free on every|[Dd]elivered free|<b>Free shipping<\/b>|on every order/,
  /<g:price>0/,
  /\b0[-–]7\b/,
  /10-15/,
  /\b(?:7 working|15 business) days/,
  /\b7[- ]days?\b|merchantReturnDays":7/,
  /sweetest/,
  /Seasonal fruit/,
];

/** The values themselves, and the sentences that are made of them. */
const NEW = [
  ...Object.values(VALUES.grievanceOfficer),
  ...Object.values(VALUES.licences),
  VALUES.supportHours,
  VALUES.newsletterUrl,
  VALUES.social[0]?.url ?? '',
  'https://ripe.example/sitemap.xml',
  'Nodal Officer: Ravi Kale',
  'Shipping costs ₹61.50. It is free from ₹733.',
  '<g:price>61.50 INR</g:price>',
  'Delivered in 3–5 working days',
  '20-25 business days',
  'Return or cancel within 4 days',
  '"merchantReturnDays":4',
  'Refunds take 0-9 working days',
  'Mangoes,',
  'From the tree, free shipping from ₹733.',
  'delivered 3-5',
  'https://wa.me/919876500042',
];

const structuredData = (page: Document): unknown[] =>
  [...page.querySelectorAll('script[type="application/ld+json"]')].map(({ textContent }): unknown =>
    JSON.parse(textContent ?? ''),
  );

/** Grey, of which a quarter on the right side is red, stored lying on its side as phones do. */
async function photo(): Promise<Buffer> {
  const area = (width: number, background: string) => ({
    create: { width, height: 1_200, channels: 3, background } as const,
  });
  const upright = await sharp(area(2_000, '#888'))
    .composite([{ input: area(500, '#f00'), left: 1_500, top: 0 }])
    .png()
    .toBuffer();
  // Orientation 6 says that a quarter turn to the right shows it upright.
  return sharp(upright)
    .rotate(270)
    .withExif({ IFD0: { Make: 'Camera of Asha' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}

/** The mean colour of a part of a picture's middle row. */
async function colourAt(file: Buffer, fromLeft: number): Promise<number[]> {
  const { width, height } = await sharp(file).metadata();
  const part = {
    left: Math.round(width * fromLeft) - 10,
    top: Math.round(height / 2),
    width: 20,
    height: 20,
  };
  const { channels } = await sharp(await sharp(file).extract(part).png().toBuffer()).stats();
  return channels.map(({ mean }) => Math.round(mean));
}

describe('a shop with odd texts, with a record and a picture of its own, all capabilities, and very long texts', () => {
  const { DOMParser } = new JSDOM().window;
  let folder: string;
  let errors: string;
  let built: Awaited<ReturnType<typeof readBuilt>>;
  const read = (file: string): string => built.read(file);
  const parsed = new Map<string, Document>();
  /** The tests share the documents: parsing them takes seconds. */
  const pageOf = (file: string): Document => {
    const page = parsed.get(file) ?? new DOMParser().parseFromString(read(file), 'text/html');
    parsed.set(file, page);
    return page;
  };
  const atEnd = endOfGroup();
  beforeAll(async () => {
    const api = await startStubApi(0, atEnd);
    api.pictures.set('/hero.jpg', await photo());
    api.store = {
      ...ODD_TEXTS,
      ...VALUES,
      hero: { ...HERO, picture: `${api.url}/hero.jpg` },
      capabilities: [...CAPABILITY_NAMES, 'teleport'],
      moved: {
        categories: { 'old & ripe': ODD, आम: '1 फल', round: 'about', about: 'round' },
        products: { gone: 'harmless', harmless: 'odd', lost: 'nowhere' },
      },
    };
    api.products = [
      ODD_PRODUCT,
      { ...productDto(0), id: 'harmless' },
      { ...productDto(1), id: 'priceless', regularPrice: null },
      ...LARGE_PRODUCTS,
      ...OTHER_PRODUCTS,
    ];
    folder = temporaryFolder(atEnd);
    const run = await build(join(folder, 'dist'), api.url, {
      NODE_ENV: 'production',
      PUBLIC_DEMO: 'true',
      PUBLIC_IMAGES: 'encode',
      IMAGE_CACHE: join(temporaryFolder(atEnd), 'images'),
    });
    expect(run.status, run.errors).toBe(0);
    errors = run.errors.trim();
    built = await readBuilt(join(folder, 'dist'));
  });

  test('[spec 2.header.2, 2.home.5, 2.home.7, 2.home.9] odd categories keep their names and places, and get a placeholder where the picture is no address', () => {
    const home = pageOf('index.html');
    expect(texts(home, 'header .logo-name')).toEqual([COMPANY]);
    expect(texts(home, '.category-name').slice(0, 2)).toEqual(CATEGORIES);
    expect(home.querySelectorAll('.categories .panel-placeholder')).toHaveLength(3);
    const address = home.querySelector('.categories a')?.getAttribute('href') ?? '';
    expect(new URL(address, 'https://shop.example').searchParams.get('category')).toBe('a&b/100% 🍊');
  });

  test('pages and structured data show odd texts as they are, and no logo whose address is not one', () => {
    const page = pageOf('product/odd.html');
    expect(texts(page, '.product h1')).toEqual([flat(ODD)]);
    expect(texts(page, '.product-text p')).toEqual([flat(ODD)]);
    expect(structuredData(page)[0]).toMatchObject({ name: ODD, description: ODD, category: ODD });
    expect(texts(pageOf('products.html'), '.card-name')[0]).toBe(flat(ODD));
    expect(texts(pageOf('privacy.html'), 'footer address').join()).toContain(ADDRESS);
    expect(texts(pageOf('privacy.html'), '.policy-text').join()).toContain(COMPANY);
    const [data] = structuredData(pageOf('index.html'));
    expect(data).toMatchObject({ name: COMPANY, address: ADDRESS });
    expect(data).not.toHaveProperty('logo');
  });

  test('an unknown policy becomes no page, whatever its name', () => {
    expect(readdirSync(folder)).toEqual(['dist']);
    expect(built.files).toEqual(
      expect.arrayContaining(['login.html', 'index.html', 'product/harmless.html']),
    );
    expect(built.files.filter((file) => read(file).includes(UNKNOWN_POLICY))).toEqual([]);
    expect(built.files.filter((file) => /not-a-policy|constructor|__proto__/.test(file))).toEqual([]);
  });

  test('addresses that changed are redirected, unless a product still has them', () => {
    const lines = read('_redirects').trim().split('\n');
    const odd = encodeURIComponent(ODD.toLowerCase());
    expect(lines).toEqual(
      expect.arrayContaining([
        '/product/gone /product/harmless 301',
        `/products category=old%20%26%20ripe /products?category=${odd} 301`,
        '/products parentCategory=%E0%A4%86%E0%A4%AE /products?parentCategory=1%20%E0%A4%AB%E0%A4%B2 301',
      ]),
    );
    expect(lines.filter((line) => /harmless \/|lost|round/.test(line))).toEqual([]);
  });

  test('a product without a price says so, and the build warns of nothing else', () => {
    expect(errors).toBe("[catalogue] product 'priceless' ('Mango 1') has no price and cannot be bought");
    expect(texts(pageOf('product/priceless.html'), '.product-info').join()).toContain('Price unavailable');
  });

  test('has no page over 100 KB, and in production none for testers', () => {
    expect(built.pages).toEqual(expect.arrayContaining(WORDS.map((_, index) => `product/p${index}.html`)));
    const isLarge = (page: string): boolean => statSync(join(folder, 'dist', page)).size > 100 * 1024;
    expect(built.pages.filter(isLarge)).toEqual([]);
    expect(built.pages).not.toContain('api-test.html');
  });

  test('says on its pages that it is a demonstration, without which its reserved address would be refused', () => {
    for (const file of ['index.html', 'login.html', 'product/harmless.html', 'terms.html'])
      expect(read(file), file).toContain('This is a demonstration shop.');
  });

  test('[spec 3.offers.1, 2.payment.8] sends and shows what its API offers', () => {
    const scripts = built.scripts.map(read).join('\n');
    for (const word of ['returnUntil', 'Idempotency-Key']) expect(scripts).toContain(word);
    expect(read('payment.html')).toContain('Test payments: no money moves.');
  });

  test('[spec 3.store.8, 2.home.19] every promise on a page comes from the store record, not from the code', () => {
    // Scripts hold the Hindi of the default texts, and the names of fields.
    const found = built.files
      .filter((file) => /\.(html|xml|txt|json|webmanifest)$/.test(file))
      .map((file) => [file, read(file)] as const);
    const old = found.flatMap(([file, text]) =>
      OLD.flatMap((pattern) => {
        const match = pattern.exec(text);
        return match ? [`${file}: ${text.slice(Math.max(0, match.index - 40), match.index + 40)}`] : [];
      }),
    );
    expect(old).toEqual([]);
    const all = found.map(([, text]) => text).join('\n');
    expect(NEW.filter((text) => !all.includes(text))).toEqual([]);
    // The islands get the charge of the build, and compare it with today's.
    for (const file of ['cart.html', 'checkout.html'])
      expect(read(file), file).toMatch(/<astro-island[^>]*charge&quot;:\[0,61\.5\]/);
  });

  test('[spec 3.store.9] the owner’s picture is on the home page, with a part for phones around its focus', async () => {
    const home = read('index.html');
    expect(home).toContain('alt="A wall of &quot;red&quot; paint"');
    expect(home).not.toContain('still life');
    const [, preload = ''] = /imagesrcset="([^"]+)"/.exec(home) ?? [];
    const [, phone = ''] = /media="\(width < 768px\)"[^>]* srcset="([^"]+)"/.exec(home) ?? [];
    expect(phone).toBe(preload);
    expect(phone.match(/ \d+w/g)).toEqual([' 540w', ' 724w', ' 1011w']);
    const [widestPath = ''] = phone.split(', ').at(-1)?.split(' ') ?? [];
    const widest = readFileSync(join(folder, 'dist', widestPath));
    expect(await sharp(widest).metadata()).not.toHaveProperty('exif');
    // Of 2,000 px, the part for phones shows the last 1,348, so red begins at 63 % of it.
    const [left, right] = [await colourAt(widest, 0.55), await colourAt(widest, 0.72)];
    expect(right[0]).toBeGreaterThan(200);
    expect(right[1]).toBeLessThan(60);
    expect(left[1]).toBeGreaterThan(90);
  });
});
