import { paths } from '#paths.ts';
import { ButtonLink } from './Button.tsx';
import bowl from './bowl.avif';

export const EmptyCart = () => (
  <div className="grid justify-items-center gap-1.5 pt-5 pb-10 text-center">
    <img src={bowl.src} alt="" width={200} height={200} />
    <h2 id="empty-cart-title" className="text-display" tabIndex={-1}>
      Your cart is empty
    </h2>
    <p className="mb-2.5 text-ink2">Fill it with something sweet.</p>
    <ButtonLink href={paths.home}>Continue Shopping</ButtonLink>
  </div>
);
