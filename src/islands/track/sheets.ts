import './track.css';
import '#styles/button.css';
import '#styles/button-more.css';
import '#islands/ui/spinner.css';
import '#styles/field.css';
import '#islands/ui/status-badge.css';
