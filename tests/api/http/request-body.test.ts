import { expect, it } from 'vitest';
import { readBytes, timeFor } from '#scripts/api/http/request-body.ts';

const request = (body: ReadableStream) =>
  new Request('http://shop', { method: 'POST', body, ...{ duplex: 'half' } });

it('a body that comes byte by byte is refused when its time is over', async () => {
  let isOpen = true;
  const drops = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (isOpen) controller.enqueue(new Uint8Array(1));
    },
  });
  await expect(readBytes(request(drops), 64 * 1_024, 100)).rejects.toMatchObject({ status: 408 });
  isOpen = false;
});

it('a body of 64 KB has ten seconds, and 32 MB of photos two minutes', () => {
  expect(timeFor(64 * 1_024)).toBeLessThan(11_000);
  expect(timeFor(32 * 1_024 * 1_024)).toBeGreaterThan(120_000);
});
