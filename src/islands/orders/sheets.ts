import '#styles/button.css';
import './orders.css';
import '#styles/button-more.css';
import '#islands/ui/spinner.css';
import '#islands/ui/status-badge.css';
import '#styles/skeleton.css';
