import { paths } from '#paths.ts';
import bowl from './bowl.avif';

export const EmptyCart = () => (
  <div className="empty-cart">
    <img src={bowl.src} alt="" width={200} height={200} />
    <h2 id="empty-cart-title" tabIndex={-1}>
      Your cart is empty
    </h2>
    <p>Fill it with something sweet.</p>
    <a className="btn" href={paths.home}>
      Continue Shopping
    </a>
  </div>
);
