import { expect, test } from 'vitest';
import { scriptJson } from '#components/script-json.ts';

test.each(['</script><script>alert(1)', '<!--', '\u2028\u2029', '"\\', '🍊'])(
  '[fault 48] %j cannot leave its script, and reads back equal',
  (text) => {
    const json = scriptJson({ text });
    expect(json).not.toMatch(/[<\u2028\u2029]/);
    expect(JSON.parse(json)).toEqual({ text });
  },
);
