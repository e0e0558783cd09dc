import type { ReactNode } from 'react';

export type Fact = readonly [name: string, value: ReactNode];

interface FactsProps {
  readonly facts: readonly Fact[];
  readonly className?: string;
}

export const Facts = ({ facts, className }: FactsProps) => (
  <dl className={className}>
    {facts.map(([name, value], index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have one name
      <div key={index}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
