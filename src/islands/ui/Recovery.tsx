import { Component, type ComponentType, type ReactNode } from 'react';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The fields of the islands. They keep what was typed even after React has replaced them. */
export const islandFields = (): readonly Field[] =>
  typeof document === 'undefined'
    ? []
    : [...document.querySelectorAll<Field>('[data-hydrated] :is(input, select, textarea)[name]')];

/** Copies what was typed into the fields that React renders instead of these. */
export function restoreTyped(fields: readonly Field[]): void {
  const lost = fields.filter(({ isConnected }) => !isConnected);
  if (lost.length > 0) void import('./Stopped.tsx').then(({ copyTyped }) => copyTyped(lost, islandFields));
}

/** A second error so soon is not rendered away. */
const RETRY_MS = 5_000;

interface RecoveryProps {
  readonly children: ReactNode;
}

interface RecoveryState {
  readonly failed: boolean;
  readonly Stopped?: ComponentType<{ onRetry(): void }>;
}

/**
 * Renders an island again after an error, with what was typed: another program may have moved React's nodes. Its stores
 * go on meanwhile. If it fails again, a text says what to do.
 */
export class Recovery extends Component<RecoveryProps, RecoveryState> {
  override state: RecoveryState = { failed: false };
  private retriedAt = 0;

  static getDerivedStateFromError(): RecoveryState {
    return { failed: true };
  }

  /** Before React removes the fields. */
  override getSnapshotBeforeUpdate(): readonly Field[] {
    return this.state.failed ? islandFields() : [];
  }

  override componentDidUpdate(_: RecoveryProps, __: RecoveryState, before: readonly Field[]): void {
    restoreTyped(before);
  }

  override componentDidCatch(): void {
    if (Date.now() - this.retriedAt > RETRY_MS) this.retry();
    else void import('./Stopped.tsx').then(({ Stopped }) => this.setState({ Stopped }));
  }

  retry = (): void => {
    this.retriedAt = Date.now();
    this.setState({ failed: false });
  };

  override render(): ReactNode {
    const { failed, Stopped } = this.state;
    if (!failed) return this.props.children;
    return Stopped && <Stopped onRetry={this.retry} />;
  }
}
