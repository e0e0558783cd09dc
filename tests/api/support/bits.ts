/** How many bits of equally long values take both values: a random one does in 1,000, the high ones of a counter never. */
export function bitsThatVary(values: readonly Buffer[]): number {
  const bytes = Array.from({ length: values[0]?.length ?? 0 }, (_, index) => {
    const ones = values.reduce((all, value) => all | value.readUInt8(index), 0);
    const zeros = values.reduce((all, value) => all | ~value.readUInt8(index), 0);
    return ones & zeros;
  });
  return bytes.reduce((sum, byte) => sum + (byte.toString(2).match(/1/g)?.length ?? 0), 0);
}
