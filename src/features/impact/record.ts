import type { Impact } from '../../domain/impact.ts'
import { IMPACT_DAYS, IMPACT_MOVEMENTS_MAX } from '../../domain/impact.ts'
import { count, depositId, flag, listOf, record, sumOfAmounts } from '../../wire/record.ts'

const LiquidationImpactRecord = record<Impact['liquidations']>('LiquidationImpact', {
  count: count.as('Liquidations that were not reversed.', (impact) => impact.count),
  charge_now: sumOfAmounts.as('What was charged for them.', ({ charge }) => charge.now),
  charge_proposed: sumOfAmounts.as('What would be charged.', ({ charge }) => charge.proposed),
  interest_now: sumOfAmounts.as('Interest that they paid.', ({ interest }) => interest.now),
  interest_proposed: sumOfAmounts.as('Interest that they would pay.', ({ interest }) => interest.proposed),
  refused_now: count.as('Refused as things are: none, since they were made.', ({ refused }) => refused.now),
  refused_proposed: count.as('How many would be refused.', ({ refused }) => refused.proposed),
})

const RolloverImpactRecord = record<Impact['rollovers']>('RolloverImpact', {
  count: count.as('Deposits that are to roll over.', (impact) => impact.count),
  interest_now: sumOfAmounts.as('Interest of their successors.', ({ interest }) => interest.now),
  interest_proposed: sumOfAmounts.as('Interest that they would have.', ({ interest }) => interest.proposed),
  refused_now: count.as('How many are paid out instead.', ({ refused }) => refused.now),
  refused_proposed: count.as('How many would be paid out instead.', ({ refused }) => refused.proposed),
})

const HeldImpactRecord = record<Impact['held']>('HeldImpact', {
  now: count.as('By the approval policy as it is.', ({ now }) => now),
  proposed: count.as('By the proposal.', ({ proposed }) => proposed),
})

const WorstDepositRecord = record<Impact['worst'][number]>('WorstDeposit', {
  deposit_id: depositId.of((worst) => worst.depositId),
  charge_now: sumOfAmounts.as('What it was charged.', ({ charge }) => charge.now),
  charge_proposed: sumOfAmounts.as('What it would be charged.', ({ charge }) => charge.proposed),
})

/** Sums are of the currency of the book, or of the product. */
export const ImpactRecord = record<Impact>('Impact', {
  liquidations: LiquidationImpactRecord.as(
    `Liquidations of the last ${IMPACT_DAYS} days, as if the proposal had been in force when their deposits were opened.`,
    (impact) => impact.liquidations,
  ),
  rollovers: RolloverImpactRecord.as(
    `Deposits that roll over within ${IMPACT_DAYS} days.`,
    (impact) => impact.rollovers,
  ),
  held: HeldImpactRecord.as(
    'How many of the liquidations need approval, by their own figures: sums of several days and changed contacts do not count.',
    (impact) => impact.held,
  ),
  worst: listOf(WorstDepositRecord).as('The ten deposits whose charge rises most.', (impact) => impact.worst),
  complete: flag.as(
    `false: only the newest ${IMPACT_MOVEMENTS_MAX} movements were looked at.`,
    (impact) => impact.complete,
  ),
})
