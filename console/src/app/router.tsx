import { lazy, Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { NotFoundPage } from '../pages/not-found-page.js';
import { OverviewPage } from '../pages/overview/overview-page.js';
import { Loading } from '../ui/states.js';
import { FailedPage } from './failed-page.js';
import { Shell } from './shell.js';

const PartnersPage = lazy(() => import('../pages/partners/partners-page.js'));
const PartnerPage = lazy(() => import('../pages/partners/partner-page.js'));
const AccountPage = lazy(() => import('../pages/accounts/account-page.js'));
const TransactionsPage = lazy(() => import('../pages/transactions/transactions-page.js'));
const TransactionPage = lazy(() => import('../pages/transactions/transaction-page.js'));
const LedgerPage = lazy(() => import('../pages/ledger/ledger-page.js'));
const PartitionPage = lazy(() => import('../pages/ledger/partition-page.js'));
const VerificationPage = lazy(() => import('../pages/ledger/verification-page.js'));
const AuditorsPage = lazy(() => import('../pages/auditors/auditors-page.js'));
const MedCasesPage = lazy(() => import('../pages/med/cases-page.js'));
const MedCasePage = lazy(() => import('../pages/med/case-page.js'));
const ReconciliationPage = lazy(() => import('../pages/reconciliation/reconciliation-page.js'));
const DeliveriesPage = lazy(() => import('../pages/deliveries/deliveries-page.js'));
const SearchPage = lazy(() => import('../pages/search/search-page.js'));
const SandboxPage = lazy(() => import('../pages/sandbox/sandbox-page.js'));

/** Every page has a URL that can be shared, its filters included. */
export function Router() {
  const { pathname } = useLocation();
  return (
    <Shell>
      <Suspense fallback={<Loading />}>
        <FailedPage key={pathname}>
          <Routes>
            <Route index element={<OverviewPage />} />
            <Route path="partners" element={<PartnersPage />} />
            <Route path="partners/:uid" element={<PartnerPage />} />
            <Route path="accounts/:uid" element={<AccountPage />} />
            <Route path="transactions" element={<TransactionsPage />} />
            <Route path="transactions/:id" element={<TransactionPage />} />
            <Route path="deliveries" element={<DeliveriesPage />} />
            <Route path="search" element={<SearchPage />} />
            <Route path="ledger" element={<LedgerPage />} />
            <Route path="ledger/partitions/:partition" element={<PartitionPage />} />
            <Route path="ledger/verifications/:id" element={<VerificationPage />} />
            <Route path="auditors" element={<AuditorsPage />} />
            <Route path="med" element={<MedCasesPage />} />
            <Route path="med/:id" element={<MedCasePage />} />
            <Route path="reconciliation" element={<ReconciliationPage />} />
            <Route path="sandbox" element={<SandboxPage />} />
            <Route path="*" element={<NotFoundPage />} />
          </Routes>
        </FailedPage>
      </Suspense>
    </Shell>
  );
}
