import { type Route, reply, route } from '../../route/route.ts'
import { FailureError } from '../../wire/failure.ts'
import { ApprovalPolicyBody, policyFrom } from '../approval-policy/record.ts'
import { ProductBody, productFrom } from '../products/record.ts'
import { RuleSetBody, ruleSetFrom } from '../rules/record.ts'
import { impactOfPolicy, impactOfProduct, impactOfRules } from './changes.ts'
import { ImpactRecord } from './record.ts'

const MESSAGE = 'The impact.'

export const impactRoutes: Route[] = [
  route({
    method: 'POST',
    path: '/v2/liquidation-rules/impact',
    operationId: 'foreseeRules',
    summary: 'Show what other liquidation rules would change; changes nothing',
    tag: 'Liquidation rules',
    scope: 'rules:read',
    body: RuleSetBody,
    success: { status: 200, data: ImpactRecord },
    answer: async ({ service, book, body }) =>
      reply(MESSAGE, ImpactRecord.write(await impactOfRules(service, book, ruleSetFrom(body)))),
  }),
  route({
    method: 'POST',
    path: '/v2/products/:product_code/impact',
    operationId: 'foreseeProduct',
    summary: 'Show what another version of a product would change; changes nothing',
    tag: 'Products',
    scope: 'products:read',
    body: ProductBody,
    success: { status: 200, data: ImpactRecord },
    refusals: ['product_not_found', 'currency_mismatch'],
    answer: async ({ service, book, params, body }) => {
      const proposed = { productCode: params.product_code!, product: productFrom(body) }
      const impact = await impactOfProduct(service, book, proposed)
      if ('outcome' in impact) throw new FailureError(impact)
      return reply(MESSAGE, ImpactRecord.write(impact))
    },
  }),
  route({
    method: 'POST',
    path: '/v2/approval-policy/impact',
    operationId: 'foreseePolicy',
    summary: 'Show what another approval policy would hold; changes nothing',
    tag: 'Approvals',
    scope: 'approvals:read',
    body: ApprovalPolicyBody,
    success: { status: 200, data: ImpactRecord },
    answer: async ({ service, book, body }) =>
      reply(MESSAGE, ImpactRecord.write(await impactOfPolicy(service, book, policyFrom(body)))),
  }),
]
