import { z } from 'zod';
import { RISK_RULES } from '../compliance/riskRules';
import { listedAs } from '../compliance/screening';
import { control, type ControlTable } from './control';

const addressParams = z.strictObject({ address: z.string().min(1) });
const ruleName = z.enum(RISK_RULES.map(({ name }) => name) as [string, ...string[]]);

/** The lists of the Compliance Engine, which are kept in the console. */
export const screeningControls: ControlTable = {
  'PUT /screening/{address}': control({
    summary: 'Puts an address under a risk rule, on any blockchain; null clears it, whatever its suffix',
    params: addressParams,
    body: z.strictObject({ rule: ruleName.nullable() }),
    run: ({ store }, { params, body }) => {
      store.compliance.listed.set(listedAs(params.address), body.rule);
    },
  }),
  'DELETE /screening/{address}': control({
    summary: 'Takes an address off the lists: its suffix counts again',
    params: addressParams,
    run: ({ store }, { params }) => {
      store.compliance.listed.delete(listedAs(params.address));
    },
  }),
};
