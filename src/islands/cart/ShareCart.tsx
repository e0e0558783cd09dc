import { useState } from 'react';
import { useLater } from '#islands/ui/use-later.ts';

const fetchPanel = () => import('./SharePanel.tsx').then(({ SharePanel }) => SharePanel);

/** Sends a copy of this cart; how, comes when it is asked for. */
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
