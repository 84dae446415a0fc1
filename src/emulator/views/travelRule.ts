import type { MessageRow } from '../compliance/state';
import { shownAmount } from '../compliance/travelRule/assets';
import { answersTo } from '../control/travelRule';
import type { TravelRuleView } from '../page/overviewOfCounterparties';

export function travelRuleView(row: MessageRow): TravelRuleView {
  const { id, transactionType, status, asset, amount, originAddress, destinationAddress, reason, createDate } =
    row.resource;
  const vasp = transactionType === 'OUTBOUND' ? row.resource.beneficiaryVasp : row.resource.originatorVasp;
  return {
    id,
    transactionType,
    status,
    amount: shownAmount(asset, amount),
    originAddress,
    destinationAddress,
    vasp: vasp?.name,
    reason,
    createDate,
    behaviour: row.behaviour,
    controls: answersTo(row),
  };
}
