import { useStore } from '@nanostores/react';
import { Button, ButtonLink, CopyButton } from '#islands/ui/Button.tsx';
import { CONTROL, FieldFrame } from '#islands/ui/Field.tsx';
import { $cart } from '#stores/cart/cart.ts';
import { canShare, exceedsLinkLimit, linkToCart, shareLink, whatsAppLink } from '#stores/cart/share-cart.ts';

/** The link contains products and quantities, but no data about the visitor. */
export function SharePanel() {
  useStore($cart);
  const link = linkToCart();
  return (
    <div className="grid gap-3">
      <FieldFrame
        id="cart-link"
        label="Link to a copy of this cart"
        hint={
          exceedsLinkLimit()
            ? 'It holds the first 100 items, at the prices of the day it is opened.'
            : 'It holds the items, at the prices of the day it is opened.'
        }
      >
        <input
          id="cart-link"
          className={CONTROL}
          readOnly
          value={link}
          onFocus={(event) => event.target.select()}
        />
      </FieldFrame>
      <div className="flex flex-wrap gap-2">
        {canShare() && (
          <Button size="small" onClick={() => void shareLink(link)}>
            Share
          </Button>
        )}
        <ButtonLink
          variant="outline"
          size="small"
          href={whatsAppLink(link)}
          target="_blank"
          rel="noopener noreferrer"
        >
          WhatsApp <span className="sr-only">(opens in a new tab)</span>
        </ButtonLink>
        <CopyButton text={link} copied="The link to this cart is in your clipboard.">
          Copy link
        </CopyButton>
      </div>
    </div>
  );
}
