import type { TravelRuleView } from '../page/counterpartyViews';
import { formatAmount } from '../travelRule/assets';
import { availableActions } from '../travelRule/counterpartyActions';
import type { MessageRow } from '../travelRule/state';

export function travelRuleView(row: MessageRow): TravelRuleView {
  const { id, transactionType, status, asset, amount, originAddress, destinationAddress, reason, createDate } =
    row.resource;
  const vasp = transactionType === 'OUTBOUND' ? row.resource.beneficiaryVasp : row.resource.originatorVasp;
  return {
    id,
    transactionType,
    status,
    amount: formatAmount(asset, amount),
    originAddress,
    destinationAddress,
    vasp: vasp?.name,
    reason,
    createDate,
    behaviour: row.behaviour,
    controls: availableActions(row),
  };
}
