import { paths } from '#paths.ts';
import { CHECK, Icon } from './icons.tsx';

const STEPS = ['Cart', 'Shipping', 'Payment'] as const;

type StepName = (typeof STEPS)[number];

const Done = ({ step }: { readonly step: StepName }) => (
  <>
    <Icon path={CHECK} size={16} />
    <span>
      <span className="sr-only">Done: </span>
      <span>{step}</span>
    </span>
  </>
);

const STEP = 'flex min-h-11 flex-1 items-center gap-2 border-t-4';

/** In the Shipping step there is no order yet, so the cart is a link. */
export function Steps({ current }: { readonly current: StepName }) {
  const reached = STEPS.indexOf(current);
  return (
    <ol className="mt-4 flex flex-wrap gap-2 font-semibold text-note" aria-label="Checkout progress">
      {STEPS.slice(0, reached).map((step) => (
        <li className={`${STEP} border-leaf text-leaf`} key={step}>
          {current === 'Shipping' ? (
            <a className="flex min-h-11 items-center gap-2 no-underline" href={paths.cart}>
              <Done step={step} />
            </a>
          ) : (
            <Done step={step} />
          )}
        </li>
      ))}
      {STEPS.slice(reached).map((step, ahead) => (
        <li
          className={`${STEP} border-line text-ink3 aria-[current]:border-leaf aria-[current]:text-ink`}
          key={step}
          aria-current={ahead === 0 ? 'step' : undefined}
        >
          <b>{reached + ahead + 1}</b> <span>{step}</span>
        </li>
      ))}
    </ol>
  );
}
