import { useStore } from '@nanostores/react';
import { MAX_PRODUCTS } from '#domain/cart.ts';
import { encodeItems } from '#domain/shared-cart.ts';
import { Button, ButtonLink, CopyButton } from '#islands/ui/Button.tsx';
import { CONTROL, FieldFrame } from '#islands/ui/Field.tsx';
import { paths } from '#paths.ts';
import { $cart } from '#stores/cart/cart.ts';

const MESSAGE = 'Have a look at this cart:';

/** Opens the share dialog of the device. Closing it rejects the promise, which is not an error. */
const shareLink = (url: string): Promise<void> => navigator.share({ title: MESSAGE, url }).catch(() => {});

/** The link contains products and quantities, but no data about the visitor. */
export function SharePanel() {
  const cart = useStore($cart);
  const link = `${location.origin}${paths.sharedCart(encodeItems(cart))}`;
  return (
    <div className="grid gap-3">
      <FieldFrame
        id="cart-link"
        label="Link to a copy of this cart"
        hint={
          cart.length > MAX_PRODUCTS
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
        {typeof navigator.share === 'function' && (
          <Button size="small" onClick={() => void shareLink(link)}>
            Share
          </Button>
        )}
        <ButtonLink
          variant="outline"
          size="small"
          href={`https://wa.me/?text=${encodeURIComponent(`${MESSAGE} ${link}`)}`}
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
