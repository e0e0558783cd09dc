import { BATCHES } from '#server/admin/paths.ts';
import type { Access } from '#server/admin/roles.ts';
import { Button, Row } from '#server/admin/views/pieces.tsx';
import { areaOf, isTransition, TRANSITIONS, transitionsOf } from '#server/fulfilment/apply-transition.ts';

export interface BatchAction {
  readonly button: string;
  readonly access: Access;
  /** The page of the batch that opens at once: nothing is changed, so nothing is asked. */
  readonly page?: 'slips' | 'picks' | 'csv';
}

/** The bulk actions: what staff can do with many orders at once. The transitions follow from TRANSITIONS. */
export const BATCH_ACTIONS: ReadonlyMap<string, BatchAction> = new Map<string, BatchAction>([
  ['slips', { button: 'Packing slips', access: 'orders.read', page: 'slips' }],
  ['picks', { button: 'Pick list', access: 'orders.read', page: 'picks' }],
  ...transitionsOf().several.map((name): [string, BatchAction] => [
    name,
    { button: name === 'cancel' ? 'Cancel them' : TRANSITIONS[name].button, access: areaOf(name) },
  ]),
  ['csv', { button: 'CSV', access: 'exports.read', page: 'csv' }],
]);

/**
 * A button for each action that orders of a status allow. Enter in a checkbox presses the first button, so the first one
 * changes nothing. @param status of all orders, if they have one
 */
export function BatchButtons({
  legend,
  status,
}: {
  readonly legend: string;
  readonly status?: number | undefined;
}) {
  const possible: readonly string[] = transitionsOf(status).several;
  return (
    <fieldset className="mb-7">
      <legend>{legend}</legend>
      <Row>
        {[...BATCH_ACTIONS]
          .filter(([name]) => !isTransition(name) || possible.includes(name))
          .map(([name, { button }]) => (
            <Button key={name} variant="quiet" formAction={`${BATCHES}/${name}`}>
              {button}
            </Button>
          ))}
      </Row>
    </fieldset>
  );
}
