import { z } from 'zod';
import { RISK_RULES } from '../screening/riskRules';
import { overrideKey } from '../screening/screening';
import { control, type ControlTable } from './control';

const addressParams = z.strictObject({ address: z.string().min(1) });
const ruleName = z.enum(RISK_RULES.map(({ name }) => name) as [string, ...string[]]);

/** The address lists of the Compliance Engine, which customers edit in the console. */
export const screeningControls: ControlTable = {
  'PUT /screening/{address}': control({
    summary: 'Assigns a risk rule to an address on every blockchain; null exempts the address, whatever its suffix',
    params: addressParams,
    body: z.strictObject({ rule: ruleName.nullable() }),
    run: ({ screening }, { params, body }) => {
      screening.overrides.set(overrideKey(params.address), body.rule);
    },
  }),
  'DELETE /screening/{address}': control({
    summary: 'Removes an address from the lists: its suffix determines its rule again',
    params: addressParams,
    run: ({ screening }, { params }) => {
      screening.overrides.delete(overrideKey(params.address));
    },
  }),
};
