import { useStore } from '@nanostores/react';
import { Button } from '#islands/ui/Button.tsx';
import { FieldFrame } from '#islands/ui/Field.tsx';
import { $cart } from '#stores/cart/cart.ts';
import {
  canShare,
  copyLink,
  exceedsLinkLimit,
  linkToCart,
  shareLink,
  whatsAppLink,
} from '#stores/cart/shared-cart.ts';

/** The link contains products and quantities, but no data about the visitor. */
export function SharePanel() {
  useStore($cart);
  const link = linkToCart();
  return (
    <div className="cart-share">
      <FieldFrame
        id="cart-link"
        label="Link to a copy of this cart"
        hint={
          exceedsLinkLimit()
            ? 'It holds the first 100 items, at the prices of the day it is opened.'
            : 'It holds the items, at the prices of the day it is opened.'
        }
      >
        <input id="cart-link" readOnly value={link} onFocus={(event) => event.target.select()} />
      </FieldFrame>
      <div className="cart-share-actions">
        {canShare() && (
          <Button size="small" onClick={() => void shareLink(link)}>
            Share
          </Button>
        )}
        <a
          className="btn btn-sm btn-outline"
          href={whatsAppLink(link)}
          target="_blank"
          rel="noopener noreferrer"
        >
          WhatsApp <span className="sr-only">(opens in a new tab)</span>
        </a>
        <Button variant="outline" size="small" onClick={() => void copyLink(link)}>
          Copy link
        </Button>
      </div>
    </div>
  );
}
