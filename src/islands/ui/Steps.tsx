import { paths } from '#paths.ts';
import { CheckIcon } from './icons.tsx';

const STEPS = ['Cart', 'Shipping', 'Payment'] as const;

type StepName = (typeof STEPS)[number];

const Done = ({ step }: { readonly step: StepName }) => (
  <>
    <CheckIcon size={16} />
    <span>
      <span className="sr-only">Done: </span>
      {step}
    </span>
  </>
);

/** In the Shipping step there is no order yet, so the cart is a link. */
export function Steps({ current }: { readonly current: StepName }) {
  const reached = STEPS.indexOf(current);
  return (
    <ol className="steps" aria-label="Checkout progress">
      {STEPS.slice(0, reached).map((step) => (
        <li className="steps-done" key={step}>
          {current === 'Shipping' ? (
            <a href={paths.cart}>
              <Done step={step} />
            </a>
          ) : (
            <Done step={step} />
          )}
        </li>
      ))}
      {STEPS.slice(reached).map((step, ahead) => (
        <li key={step} aria-current={ahead === 0 ? 'step' : undefined}>
          <b>{reached + ahead + 1}</b> {step}
        </li>
      ))}
    </ol>
  );
}
