import { useState } from 'react';
import { useLater } from '#islands/ui/hooks.ts';

const fetchPanel = () => import('./SharePanel.tsx').then(({ SharePanel }) => SharePanel);

/** Opens and closes the panel for sharing the cart. The panel's code is loaded when it is first opened. */
export function ShareCart() {
  const [isOpen, setOpen] = useState(false);
  const Panel = useLater(isOpen, fetchPanel, () => setOpen(false));
  return (
    <>
      <button type="button" className="btn-link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        Share cart
      </button>
      {isOpen && Panel && <Panel />}
    </>
  );
}
