import { found } from '../../wire/failure.ts'
import { type Reply, type Route, reply, replyWith, route, success } from '../../wire/route.ts'
import { replaceRules } from './changes.ts'
import { parseRuleSet, RuleSetBody, RulesRecord, ruleSetFrom } from './record.ts'
import { findNewestRuleSet, findRuleSets, type KeptRuleSet } from './store.ts'

export const ruleRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/v2/liquidation-rules',
    operationId: 'getRules',
    summary: 'Get the rule set in force',
    tag: 'Liquidation rules',
    scope: 'rules:read',
    success: { status: 200, data: RulesRecord },
    answer: async ({ service, book }) => shown(await findNewestRuleSet(service.db, book.bookId)),
  }),
  route({
    method: 'PUT',
    path: '/v2/liquidation-rules',
    operationId: 'replaceRules',
    summary: 'Write the next version of the rule set; deposits opened earlier keep theirs',
    tag: 'Liquidation rules',
    scope: 'rules:write',
    body: RuleSetBody,
    success: { status: 200, data: RulesRecord },
    refusals: ['approval_required'],
    answer: ({ service, origin, body }) =>
      replyWith(
        replaceRules(
          service,
          origin,
          ruleSetFrom(body),
          success(200, 'The liquidation rules were replaced.', RulesRecord.write),
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/v2/liquidation-rules/:version',
    operationId: 'getRulesVersion',
    summary: 'Get one version of the rule set',
    tag: 'Liquidation rules',
    scope: 'rules:read',
    success: { status: 200, data: RulesRecord },
    refusals: ['rules_version_not_found'],
    answer: async ({ service, book, params }) => {
      const version = /^[1-9]\d{0,8}$/.test(params.version!) ? [Number(params.version)] : []
      const [kept] = await findRuleSets(service.db, book.bookId, version)
      return shown(kept)
    },
  }),
]

function shown(kept: KeptRuleSet | undefined): Reply {
  const { version, rules, created_at } = found(kept, 'rules_version_not_found')
  const data = RulesRecord.write({ version, rules: parseRuleSet(rules), createdAt: created_at })
  return reply('The liquidation rules.', data)
}
