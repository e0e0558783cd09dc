/**
 * The style of every letter: the colours of the shop, plain enough for any mail program. One that drops it shows the
 * same text, table and link in its own look.
 */
export const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 0; background: #f5f7f2; color: #0f2a20;
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Noto Sans Devanagari', sans-serif; }
.letter { max-width: 560px; margin: 0 auto; padding: 24px 20px; background: #ffffff; }
.store { margin: 0 0 20px; color: #0b5c3b; font-weight: 700; }
h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.25; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
table { width: 100%; margin: 0 0 16px; border-collapse: collapse; }
td { padding: 8px 0; border-bottom: 1px solid #dce3db; vertical-align: top; overflow-wrap: anywhere; }
.value { padding-left: 16px; text-align: right; white-space: nowrap; overflow-wrap: normal; }
.total td { border-bottom: 0; font-weight: 700; }
.button { display: inline-block; padding: 14px 24px; border-radius: 28px; background: #0b5c3b; color: #ffffff;
  font-weight: 700; text-decoration: none; }
.small { margin: 0 0 8px; color: #5a6c63; font-size: 14px; }
.foot { margin-top: 28px; padding-top: 16px; border-top: 1px solid #dce3db; }
@media (prefers-color-scheme: dark) {
  body { background: #0b1511; color: #eef5f0; }
  .letter { background: #131f19; }
  .store { color: #7cdfa6; }
  td, .foot { border-color: #2b3d34; }
  .button { background: #7cdfa6; color: #06281a; }
  .small { color: #9db0a5; }
}`;
