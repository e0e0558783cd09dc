import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { type StubCatalogue, stubCatalogue } from '#tests/publish/support/stub-catalogue.ts';

const COUNT = 60;
const WORDS =
  'amber brass carved cedar ceramic clay copper cotton cream dyed embroidered enamel engraved felt fluted folded frosted glass glazed gold hammered hand indigo ivory jute knotted lacquered leather linen marble matte mirror moulded natural oak olive oxidised painted paper pleated polished printed quilted ribbed rosewood rustic sandal satin silk silver slate smoked spun steel stitched stone teak terracotta velvet walnut washed waxed woven'.split(
    ' ',
  );
const KINDS = ['Lamp', 'Bowl', 'Cushion', 'Tray', 'Mirror', 'Basket', 'Vase', 'Stool'];
const CATEGORIES = ['Lighting', 'Tableware', 'Textiles', 'Storage'];

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
/** Words chosen by the seed, so that a product always gets the same ones. */
const words = (seed: string, count: number): string =>
  Array.from(digest(seed).subarray(0, count), (byte) => WORDS[byte % WORDS.length]).join(' ');
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function product(index: number, api: string): Record<string, unknown> {
  const id = digest(`id ${index}`).toString('hex').slice(0, 32);
  const price = 200 + ((index * 137) % 5_000);
  return {
    id: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    title: `${capital(words(`title ${index}`, 2))} ${KINDS[index % KINDS.length]}`,
    description: `${capital(words(`first ${index}`, 14))}. ${capital(words(`second ${index}`, 11))}.`,
    imgUrl: `${api}/${index}.png`,
    category: CATEGORIES[index % CATEGORIES.length],
    parentCategory: 'Home',
    regularPrice: price,
    discountedPrice: index % 3 === 0 ? price - 51 : null,
    createdAt: '2026-01-01T00:00:00Z',
    images: [],
    attributes: [
      { key: 'Material', values: [words(`material ${index}`, 2)] },
      { key: 'Width', values: [String(10 + (index % 70))], metricUnit: 'cm' },
      { key: 'Care', values: [words(`care ${index}`, 4)] },
      ...(index % 4 === 0 ? [{ key: 'Color', values: ['Indigo', 'Ivory'] }] : []),
      ...(index % 15 === 0 ? [{ key: 'featured', values: ['true'] }] : []),
    ],
  };
}

/** A catalogue of household goods, with other products, pictures and lengths of texts than the demo catalogue. */
export async function secondCatalogue(api: string): Promise<StubCatalogue> {
  const catalogue = stubCatalogue(0);
  const indexes = Array.from({ length: COUNT }, (_, index) => index);
  catalogue.products = indexes.map((index) => product(index, api));
  for (const index of indexes) {
    const [r = 0, g = 0, b = 0] = digest(`picture ${index}`);
    const image = sharp({ create: { width: 700, height: 700, channels: 3, background: { r, g, b } } });
    catalogue.pictures.set(`/${index}.png`, await image.png().toBuffer());
  }
  return catalogue;
}
