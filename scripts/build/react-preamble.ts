import type { Plugin } from 'vite';

/** The script of every page, which runs before the page's own (src/components/Shell.astro). */
const FIRST_SCRIPT = /\/src\/components\/shell\/shell\.ts$/;

/**
 * Lets `astro dev` prepare React's refresh before any island's code runs. A page's own script imports its island early,
 * and Astro's integration for React prepares it only when the island hydrates. Where that came too late, the island
 * stayed dead until the page was reloaded.
 */
export const reactPreamble = (): Plugin => ({
  name: 'react-preamble',
  apply: 'serve',
  transform: {
    filter: { id: FIRST_SCRIPT },
    handler: (code) => `import '@vitejs/plugin-react/preamble';\n${code}`,
  },
});
