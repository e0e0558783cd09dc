import { CheckIcon } from '#islands/ui/icons.tsx';
import { paths } from '#paths.ts';

/** Where the purchase stands: cart done, shipping now, payment next. */
export const Steps = () => (
  <ol className="steps" aria-label="Checkout progress">
    <li className="steps-done">
      <a href={paths.cart}>
        <CheckIcon size={16} /> Cart
        <span className="sr-only">, done</span>
      </a>
    </li>
    <li aria-current="step">
      <b>2</b> Shipping
    </li>
    <li>
      <b>3</b> Payment
    </li>
  </ol>
);
