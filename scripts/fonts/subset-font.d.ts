declare module 'subset-font' {
  interface Options {
    targetFormat?: 'sfnt' | 'woff2';
    keepFeatures?: readonly string[];
    dropTables?: readonly string[];
    noHinting?: boolean;
    variationAxes?: Readonly<Record<string, number | { min: number; max: number; default: number }>>;
  }

  function subsetFont(font: Buffer, text: string, options: Options): Promise<Buffer>;
  export = subsetFont;
}
